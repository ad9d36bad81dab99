//! Texts as HTML. Whatever somebody typed means nothing but itself there.

use std::fmt::Write;

use crate::chat::message::{Inline, Text};
use crate::matches::people::PlayerId;
use crate::matches::time::Time;
use crate::text::escape_html;

/// How texts are written for one reader.
pub struct Writer<'a> {
    pub reader: Option<&'a PlayerId>,
    /// What players are called.
    pub name: &'a dyn Fn(&PlayerId) -> String,
    pub now: Time,
}

impl Writer<'_> {
    /// A text as paragraphs.
    pub fn paragraphs(&self, text: &Text) -> String {
        let lines = text.0.split(|piece| *piece == Inline::Break);
        let mut written = String::new();
        for line in lines.filter(|line| !line.is_empty()) {
            // A block stands by itself.
            let parts = line.chunk_by(|one, other| is_block(one) == is_block(other));
            for part in parts {
                let inner: String = part.iter().map(|piece| self.piece(piece)).collect();
                if part.first().is_some_and(is_block) {
                    written.push_str(&inner);
                } else {
                    // Writing into a string can't fail.
                    let _ = write!(written, "<p>{inner}</p>");
                }
            }
        }
        written
    }

    /// A text in one line.
    pub fn line(&self, text: &Text) -> String {
        text.0.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&self, piece: &Inline) -> String {
        match piece {
            Inline::Plain(text) => escape_html(text),
            Inline::Bold(text) => format!("<b>{}</b>", escape_html(text)),
            Inline::Code(text) | Inline::Say(text) => format!("<code>{}</code>", escape_html(text)),
            Inline::Block(text) => format!("<pre tabindex=\"0\">{}</pre>", escape_html(text)),
            Inline::Person(player) => {
                let class = if self.reader == Some(player) {
                    "person you"
                } else {
                    "person"
                };
                format!(
                    "<span class=\"{class}\">{}</span>",
                    escape_html(&(self.name)(player))
                )
            }
            Inline::Room(room) => format!("<b>#{}</b>", escape_html(room.parts().1)),
            Inline::Link(url) => {
                let url = escape_html(url);
                format!("<a href=\"{url}\" rel=\"noopener noreferrer\">{url}</a>")
            }
            Inline::When(time) => self.when(*time),
            Inline::Break => " ".to_owned(),
        }
    }

    /// A moment. A script writes it in the reader's own time; without one it says how far away it is.
    pub fn when(&self, time: Time) -> String {
        let away = if time > self.now {
            format!("{} from now", time.since(self.now))
        } else {
            format!("{} ago", self.now.since(time))
        };
        format!("<time data-at=\"{}\">{away}</time>", time.0)
    }
}

const fn is_block(piece: &Inline) -> bool {
    matches!(piece, Inline::Block(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_typed_means_nothing() {
        let evil = PlayerId::new("x", "evil");
        let writer = Writer {
            reader: None,
            name: &|_| "<script>alert('x')</script>\"".to_owned(),
            now: Time(0),
        };
        let text = Text(vec![
            Inline::Person(evil),
            Inline::Plain(" & <b>".to_owned()),
            Inline::Break,
            Inline::Code("\"><img src=x onerror=alert(1)>".to_owned()),
            Inline::Block("</pre><script>".to_owned()),
        ]);
        let written = writer.paragraphs(&text);
        for tag in ["<script", "<img", "<b>", "</pre><"] {
            assert!(!written.contains(tag), "{tag} in {written}");
        }
        assert!(written.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;"));
    }
}
