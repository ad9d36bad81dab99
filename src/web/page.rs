//! A match as HTML: everything that its page shows, so that it can be read without scripts. The script of the page reads it
//! anew when something has changed, and puts in place what differs.

use std::fmt::Write;

use super::embed;
use super::html::Writer;
use super::story::Story;
use crate::chat::message::{Button, ButtonStyle, Picture, Text};
use crate::chat::pages::{MatchPage, PagePicture};
use crate::matches::people::PlayerId;
use crate::matches::time::Time;
use crate::text::escape_html;

/// What is shown: the match as it is, or the end of one of its turns.
pub struct Leaf<'a> {
    pub page: &'a MatchPage,
    /// What the addresses begin with.
    pub base: &'a str,
    /// Whether the viewer plays, and whose pictures nobody else may see.
    pub own: bool,
    /// The turn that is shown, with its picture; nothing for the match as it is now.
    pub turn: Option<(u32, Picture)>,
    /// The story, unless only what is now is wanted.
    pub story: Option<Story>,
    pub writer: Writer<'a>,
    /// For those who are shown this link elsewhere: where the pages are.
    pub unfurls: Option<&'a str>,
}

/// What pictures of pages are called.
const BOARD: &str = "board";
const HAND: &str = "hand";
const TURN: &str = "turn-";

/// Where a picture of this page is, without what it is called by its format.
pub fn picture_name(version: u64, state: &str, what: PagePicture) -> String {
    match what {
        PagePicture::Board => format!("{BOARD}.{version}.{state}"),
        PagePicture::Hand => format!("{HAND}.{version}.{state}"),
        PagePicture::Turn(number) => format!("{TURN}{number}.{version}.{state}"),
    }
}

/// The picture that is called so. Each has one name, so that each is drawn and kept once.
pub fn picture_called(name: &str) -> Option<PagePicture> {
    match name.strip_prefix(TURN) {
        Some(number) => turn_number(number).map(PagePicture::Turn),
        None if name == BOARD => Some(PagePicture::Board),
        None if name == HAND => Some(PagePicture::Hand),
        None => None,
    }
}

/// The number of a turn, written as we write it.
pub fn turn_number(text: &str) -> Option<u32> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text)
}

impl Leaf<'_> {
    /// The whole document.
    pub fn document(&self) -> String {
        let page = self.page;
        let title = format!("{} #{}", page.game, page.code);
        let mut head = String::new();
        if let Some(origin) = self.unfurls {
            let board = self.picture_url(PagePicture::Board, "png");
            let seats: Vec<&str> = page.seats.iter().map(|seat| seat.name.as_str()).collect();
            let players = crate::text::list(seats);
            for (name, content) in [
                ("og:title", title.as_str()),
                ("og:type", "website"),
                ("og:site_name", "Phase Parlor"),
                ("og:description", &players),
                ("og:url", &format!("{origin}{}", self.base)),
                ("og:image", &format!("{origin}{board}")),
                ("og:image:type", "image/png"),
                ("og:image:alt", &page.board.alt),
                ("twitter:card", "summary_large_image"),
            ] {
                let content = escape_html(content);
                // Writing into a string can't fail.
                let _ = write!(head, "<meta property=\"{name}\" content=\"{content}\">");
            }
            let _ = write!(
                head,
                "<link rel=\"discord:component-embed\" type=\"application/json\" href=\"{}\">",
                escape_html(&format!("{origin}{}/{}", self.base, embed::FILE))
            );
        }
        document(&title, &head, &self.main())
    }

    /// What the page shows.
    fn main(&self) -> String {
        let page = self.page;
        let live = self.turn.is_none();
        let mut main = format!(
            "<main id=\"match\" class=\"match\" data-base=\"{}\" data-code=\"{}\" data-version=\"{}\" data-state=\"{}\" \
             data-your-turn=\"{}\" data-running=\"{}\" data-paused=\"{}\" data-live=\"{live}\" data-own=\"{}\" data-theme=\"{}\">",
            escape_html(self.base),
            page.code,
            page.version,
            page.state,
            page.your_turn,
            page.running,
            page.paused,
            self.own,
            page.theme.map_or("", |theme| theme.0.name()),
        );
        let _ = write!(
            main,
            "<header id=\"title\" class=\"bar\"><h1>{} <code>#{}</code></h1>\
             <button id=\"theme\" class=\"icon\" type=\"button\"></button></header>{}\
             <div id=\"stage\" class=\"stage\">{}{}{}</div><div id=\"side\" class=\"match-side\">{}{}\
             <p id=\"notice\" class=\"notice\" role=\"status\" aria-live=\"polite\"></p>\
             <div id=\"panel\" class=\"panel\" role=\"group\" aria-label=\"Your move\" aria-live=\"polite\" hidden></div>\
             <div id=\"reply\" class=\"reply\" role=\"group\" aria-label=\"The answer\" hidden></div>{}{}{}</div></main>",
            escape_html(&page.game),
            page.code,
            self.clocks(),
            self.board(),
            self.hand(),
            self.steps(),
            self.last(),
            self.said(),
            self.buttons(),
            self.note(),
            self.told(),
        );
        main
    }

    fn clocks(&self) -> String {
        let mut list = "<ul id=\"clocks\" class=\"seats\" aria-label=\"Players and clocks\">".to_owned();
        for seat in &self.page.seats {
            let mut class = "seat".to_owned();
            if seat.runs && self.page.running {
                class.push_str(" to-move");
            }
            if seat.gone {
                class.push_str(" gone");
            }
            let name = if seat.own {
                "You".to_owned()
            } else {
                escape_html(&seat.name)
            };
            let _ = write!(
                list,
                "<li class=\"{class}\"><span class=\"seat-name\">{name}</span>"
            );
            let counts = seat.runs && !self.page.paused;
            if let Some(left) = seat.left {
                let _ = write!(
                    list,
                    "<span class=\"clock\" data-had=\"{}\" data-counts=\"{counts}\">{left}</span>",
                    left.0
                );
            } else if seat.thinking && self.page.running {
                list.push_str("<span class=\"clock\">thinking …</span>");
            }
            list.push_str("</li>");
        }
        list + "</ul>"
    }

    fn board(&self) -> String {
        match &self.turn {
            Some((number, picture)) => self.picture(BOARD, PagePicture::Turn(*number), picture),
            None => self.picture(BOARD, PagePicture::Board, &self.page.board),
        }
    }

    fn hand(&self) -> String {
        match self.page.hand.as_ref().filter(|_| self.turn.is_none()) {
            Some(hand) => self.picture(HAND, PagePicture::Hand, hand),
            None => "<div id=\"hand\" class=\"match-picture\"></div>".to_owned(),
        }
    }

    fn picture_url(&self, what: PagePicture, extension: &str) -> String {
        let name = picture_name(self.page.version, &self.page.state, what);
        format!("{}/pictures/{name}.{extension}", self.base)
    }

    /// A picture in a box of this name. With a script it can be touched, and is fetched by it.
    fn picture(&self, id: &str, what: PagePicture, picture: &Picture) -> String {
        let url = escape_html(&self.picture_url(what, "png"));
        let spots = escape_html(&self.picture_url(what, "json"));
        let alt = escape_html(&picture.alt);
        format!(
            "<div id=\"{id}\" class=\"match-picture\" data-url=\"{url}\" data-spots=\"{spots}\" data-alt=\"{alt}\">\
             <noscript><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{url}?theme=dark\">\
             <img src=\"{url}\" alt=\"{alt}\"></picture></noscript></div>"
        )
    }

    /// What happened last, or in the turn that is shown.
    fn last(&self) -> String {
        let Some(story) = &self.story else {
            return String::new();
        };
        let turn = match &self.turn {
            Some((number, _)) => usize::try_from(*number).unwrap_or(usize::MAX),
            None => story.len(),
        };
        let told = turn.checked_sub(1).and_then(|index| story.get(index));
        let told = told.map(|told| self.writer.line(told));
        let words = match (&self.turn, told) {
            (Some(_), Some(told)) => format!("<p><b>Turn {turn}.</b> {told}</p>"),
            (Some(_), None) => "<p><b>The opening.</b></p>".to_owned(),
            (None, Some(told)) => format!("<p>{told}</p>"),
            (None, None) => String::new(),
        };
        format!("<div id=\"told\" class=\"said text\" aria-live=\"polite\">{words}</div>")
    }

    fn said(&self) -> String {
        let mut said = "<div id=\"said\" class=\"said text\" aria-live=\"polite\">".to_owned();
        if self.turn.is_some() {
            let _ = write!(
                said,
                "<p><a href=\"{}\">Back to the match as it is now</a></p>",
                escape_html(self.base)
            );
        } else {
            said.push_str(&self.writer.paragraphs(&self.page.said));
            if let Some(deadline) = self.page.deadline {
                let _ = write!(said, "<p>Time for this move ends {}.</p>", self.moment(deadline));
            }
        }
        said + "</div>"
    }

    fn moment(&self, time: Time) -> String {
        self.writer.when(time)
    }

    fn buttons(&self) -> String {
        let mut row = "<div id=\"buttons\" class=\"buttons\">".to_owned();
        if self.turn.is_none() {
            for button in &self.page.buttons {
                row.push_str(&pressable(button));
            }
            if !self.page.more.is_empty() {
                let more: String = self.page.more.iter().map(pressable).collect();
                // When it is over, that is all there is to do.
                let open = if self.page.running { "" } else { " open" };
                let _ = write!(
                    row,
                    "<details class=\"more-buttons\"{open}><summary class=\"button small\">More</summary>\
                     <div class=\"buttons\">{more}</div></details>"
                );
            }
        }
        row + "</div>"
    }

    /// Where a player writes something down on the position. A script sends it.
    fn note(&self) -> &'static str {
        if self.own {
            "<form hidden id=\"note\" class=\"note\"><input name=\"words\" maxlength=\"500\" autocomplete=\"off\" \
             placeholder=\"A note, for you alone\" aria-label=\"A note on this position, for you alone\">\
             <button class=\"button small\">Note</button></form>"
        } else {
            ""
        }
    }

    /// First, back, forward, last. What leads nowhere is no link.
    fn steps(&self) -> String {
        let Some(story) = &self.story else {
            return String::new();
        };
        let turns = u32::try_from(story.len()).unwrap_or(u32::MAX);
        let at = self.turn.as_ref().map(|(number, _)| *number);
        let now = at.unwrap_or(turns);
        let goal = |number: u32| {
            if number >= turns {
                self.base.to_owned()
            } else {
                format!("{}/{number}", self.base)
            }
        };
        let step = |id: &str, sign: &str, label: &str, goal: Option<String>| match goal {
            Some(goal) => format!(
                "<a id=\"{id}\" class=\"button small step\" href=\"{}\" aria-label=\"{label}\">{sign}</a>",
                escape_html(&goal)
            ),
            None => format!(
                "<span id=\"{id}\" class=\"button small step\" aria-label=\"{label}\" aria-disabled=\"true\">{sign}</span>"
            ),
        };
        let back = (now > 0).then(|| now.saturating_sub(1).min(turns));
        let forth = at.is_some().then(|| goal(now.saturating_add(1)));
        format!(
            "<nav id=\"steps\" class=\"steps\" aria-label=\"Through the match\">{}{}<span class=\"step-at\">{}</span>{}{}</nav>",
            step(
                "first",
                "|◀",
                "To the opening",
                (now > 0).then(|| format!("{}/0", self.base))
            ),
            step(
                "back",
                "◀",
                "One turn back",
                back.map(|number| format!("{}/{number}", self.base))
            ),
            match now {
                0 => "Opening".to_owned(),
                now => format!("Turn {now} of {turns}"),
            },
            step("forward", "▶", "One turn on", forth.clone()),
            step(
                "last",
                "▶|",
                "To the match as it is now",
                forth.map(|_| self.base.to_owned())
            ),
        )
    }

    /// The story, move by move, each leading to its step.
    fn told(&self) -> String {
        let Some(story) = &self.story else {
            return String::new();
        };
        let shown = self.turn.as_ref().map(|(number, _)| *number);
        let mut told =
            "<section id=\"story\" class=\"story\" aria-label=\"The story\"><h2>Move by move</h2><ol>"
                .to_owned();
        for (number, turn) in (1..).zip(story.iter()) {
            let here = if shown == Some(number) {
                " aria-current=\"step\""
            } else {
                ""
            };
            let _ = write!(
                told,
                "<li><a class=\"turn\" href=\"{}/{number}\"{here} aria-label=\"Turn {number}\">{number}.</a> <span>{}</span></li>",
                escape_html(self.base),
                self.writer.line(turn),
            );
        }
        if story.is_empty() {
            told.push_str("<li>Nobody has moved yet.</li>");
        }
        told + "</ol></section>"
    }
}

fn pressable(button: &Button) -> String {
    let style = match button.style {
        ButtonStyle::Primary => "primary",
        ButtonStyle::Plain => "plain",
        ButtonStyle::Danger => "danger",
    };
    format!(
        "<button type=\"button\" class=\"button small {style}\" data-command=\"{}\">{}</button>",
        escape_html(&button.command),
        escape_html(&button.label)
    )
}

/// A page that shows no match, and says why.
pub fn kind(title: &str, words: &Text) -> String {
    shut(&why(title, words))
}

/// The same where a key may be at hand: its script tries to come in, and says why not once that is sure.
pub fn opening(title: &str, words: &Text) -> String {
    let why = why(title, words);
    shut(&format!(
        "<h1 id=\"opening\">Opening the board …</h1><div id=\"refusal\" hidden>{why}</div>\
         <noscript>{why}<p>A personal link needs JavaScript to open; watching does not.</p></noscript>"
    ))
}

fn why(title: &str, words: &Text) -> String {
    let writer = Writer {
        reader: None,
        name: &PlayerId::to_string,
        now: Time(0),
    };
    format!("<h1>{}</h1>{}", escape_html(title), writer.paragraphs(words))
}

fn shut(inner: &str) -> String {
    let main = format!(
        "<main id=\"match\" class=\"match shut\" data-shut=\"true\"><div class=\"shut-card\"><img src=\"/icon.svg\" alt=\"\" \
         width=\"56\" height=\"56\">{inner}\
         <p id=\"notice\" class=\"notice\" role=\"status\" aria-live=\"polite\"></p></div></main>"
    );
    document("Phase Parlor", "", &main)
}

fn document(title: &str, head: &str, main: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>{title}</title>{head}\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\"><link rel=\"stylesheet\" href=\"/style.css\">\
         <link rel=\"stylesheet\" href=\"/match.css\"><script type=\"module\" src=\"/js/match.js\"></script></head>\
         <body class=\"on-page\">{main}\
         <dialog id=\"zoom\" class=\"zoom\"><form method=\"dialog\"><button class=\"icon\" aria-label=\"Close\">×</button></form>\
         <img id=\"zoom-image\" alt=\"\"><details><summary>In words</summary><p id=\"zoom-words\"></p></details></dialog>\
         </body></html>",
        title = escape_html(title),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_picture_has_one_name() {
        for what in [
            PagePicture::Board,
            PagePicture::Hand,
            PagePicture::Turn(0),
            PagePicture::Turn(5),
            PagePicture::Turn(u32::MAX),
        ] {
            let name = picture_name(7, "state", what);
            assert_eq!(name.split('.').next().and_then(picture_called), Some(what));
        }
        for other in [
            "turn-05",
            "turn-+5",
            "turn-00",
            "turn--1",
            "turn- 5",
            "turn-",
            "turn-4294967296",
            "Board",
            "board ",
            "hands",
            "",
        ] {
            assert_eq!(picture_called(other), None, "{other}");
        }
    }
}
