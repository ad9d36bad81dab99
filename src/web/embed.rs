//! A match as Discord shows it where a link to watch it is posted: the board as it stands, in Discord's own components. Whoever
//! can't show that takes the Open Graph tags of the page instead.

use axum::Json;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Web;
use super::page::picture_name;
use super::problem::Problem;
use super::rates::Activity;
use super::shown::{OPEN, unseen};
use super::visitor::{PageRequest, Visitor};
use crate::chat::pages::{MatchPage, PagePicture, PageViewer};
use crate::matches::port::Fault;
use crate::text::{cut, list};

/// What such a file is called, after the address of its page.
pub const FILE: &str = "embed.json";

/// A longer file is not read, in bytes.
const LONGEST: usize = 3000;

/// The longest words to a picture, and the longest line above it, in letters.
const LONGEST_ALT: usize = 1024;
const LONGEST_LINE: usize = 200;

/// Discord's numbers for what it shows.
const ROW: u8 = 1;
const BUTTON: u8 = 2;
const TEXT: u8 = 10;
const GALLERY: u8 = 12;
const CONTAINER: u8 = 17;
const LINK_STYLE: u8 = 5;

/// The green of the felt.
const FELT: u32 = 0x24_69_5a;

/// The match for whoever watches it.
pub async fn json(asked: PageRequest) -> Result<Response, Problem> {
    let visitor = asked.enter(Activity::Read)?;
    // A player's own page is nobody else's to show.
    if visitor.eyes != PageViewer::Public {
        return Err(Problem::NothingHere);
    }
    let embed = tokio::task::spawn_blocking(move || asked.web.embed(&visitor)).await;
    let embed = embed.map_err(|error| Fault::new("writing what Discord shows of a page", error))??;
    Ok(([(CACHE_CONTROL, OPEN)], Json(embed)).into_response())
}

impl Web {
    fn embed(&self, visitor: &Visitor) -> Result<Value, Problem> {
        let Visitor { code, eyes, base, .. } = visitor;
        let page = self.parlor.match_page(code, eyes).map_err(unseen)?;
        let url = format!("{}{base}", self.site.origin());
        let said = page.said.plain(|player| self.name(player));
        Ok(fitting(&page, &url, &said))
    }
}

/// What is shown; the words to the picture give way where it would be too long.
fn fitting(page: &MatchPage, url: &str, said: &str) -> Value {
    let alt = cut(&page.board.alt, LONGEST_ALT);
    let embed = shown(page, url, said, &alt);
    // Of what is cut each letter takes a byte at least; the sign that something was cut takes three.
    match embed.to_string().len().saturating_sub(LONGEST) {
        0 => embed,
        over => {
            let left = alt.chars().count().saturating_sub(over + 3);
            shown(page, url, said, &cut(&alt, left))
        }
    }
}

fn shown(page: &MatchPage, url: &str, said: &str, alt: &str) -> Value {
    let board = picture_name(page.version, &page.state, PagePicture::Board);
    let seats: Vec<&str> = page.seats.iter().map(|seat| seat.name.as_str()).collect();
    let title = format!("### {} #{}", plain(&page.game), page.code);
    let lines = [list(seats), said.to_owned()].map(|line| plain(&cut(&line, LONGEST_LINE)));
    let mut picture = json!({ "media": { "url": format!("{url}/pictures/{board}.png") } });
    if !alt.is_empty() {
        picture["description"] = json!(alt);
    }
    json!({ "component": {
        "type": CONTAINER,
        "accent_color": FELT,
        "components": [
            { "type": TEXT, "content": format!("{title}\n{}", lines.join("\n")) },
            { "type": GALLERY, "items": [picture] },
            { "type": ROW, "components": [{ "type": BUTTON, "style": LINK_STYLE, "label": "Watch", "url": url }] },
        ],
    } })
}

/// A line that means nothing but itself: no mark-up, no mention, no link.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            '\n' => plain.push(' '),
            letter => {
                if letter.is_ascii_punctuation()
                    && !matches!(letter, '.' | ',' | '\'' | '!' | '?' | ';' | '%')
                {
                    plain.push('\\');
                }
                plain.push(letter);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_is_called_means_nothing() {
        assert_eq!(
            plain("**Ann** <@1> @everyone\n# [x](y)"),
            "\\*\\*Ann\\*\\* \\<\\@1\\> \\@everyone \\# \\[x\\]\\(y\\)"
        );
        assert_eq!(plain("Your turn, Ann."), "Your turn, Ann.");
    }
}
