//! The rules of a game as players read them: a summary, then sections.
//!
//! Each game keeps them in `assets/<game>/rules.md`: what comes before the first `## ` is the
//! summary, each `## ` starts a section.

/// The rules text of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesText {
    /// Fits one chat message beside a picture.
    pub summary: &'static str,
    pub sections: Vec<Section>,
}

/// One part of the rules in detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    pub body: &'static str,
}

impl RulesText {
    pub fn parse(text: &'static str) -> Self {
        let mut parts = text.split("\n## ");
        let summary = parts.next().unwrap_or_default().trim();
        let section = |part: &'static str| {
            let (title, body) = part.split_once('\n').unwrap_or((part, ""));
            Section {
                title: title.trim(),
                body: body.trim(),
            }
        };
        Self {
            summary,
            sections: parts.map(section).collect(),
        }
    }

    /// The section whose title begins like this, in any case.
    pub fn section(&self, title: &str) -> Option<Section> {
        let wanted = title.trim().to_lowercase();
        let begins = |section: &&Section| section.title.to_lowercase().starts_with(&wanted);
        self.sections.iter().find(begins).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_summary_and_sections() {
        let rules = RulesText::parse("Slide.\n\nMore.\n\n## Moving\nStraight.\n\n## The end\nOver.\n");
        assert_eq!(rules.summary, "Slide.\n\nMore.");
        assert_eq!(rules.section("the e").map(|section| section.body), Some("Over."));
        assert_eq!(rules.section("x"), None);
    }
}
