//! A little HTML: enough to write what is said here, and to read whom somebody mentions.
//!
//! What others send is anything at all. It is read for its words and its links to people; every other tag is passed
//! over, and nothing of it is ever sent on.

use matrix_sdk::ruma::matrix_uri::MatrixId;
use matrix_sdk::ruma::{MatrixToUri, MatrixUri, OwnedUserId};

use crate::text::escape_html;

/// Writes a text so that it means nothing but itself.
pub fn escape(text: &str) -> String {
    escape_html(text).replace('\n', "<br>")
}

/// The words of an HTML text, with the id of each person in place of the name that their mention shows. What is
/// quoted from the message that it answers is left out.
pub fn words(html: &str) -> String {
    let mut words = String::new();
    let mut rest = html;
    // Inside a mention the name is dropped: the id has been written.
    let mut mention = false;
    let mut quoted = false;
    while let Some((text, tail)) = rest.split_once('<') {
        if !mention && !quoted {
            words.push_str(&unescape(text));
        }
        let Some((tag, tail)) = tail.split_once('>') else {
            // A `<` that opens no tag is a letter like any other.
            rest = tail;
            words.push('<');
            continue;
        };
        rest = tail;
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
            .collect::<String>()
            .to_ascii_lowercase();
        match (name.as_str(), tag.starts_with('/')) {
            ("mx-reply", closes) => quoted = !closes,
            ("a", false) if !quoted => {
                if let Some(user) = link(tag).as_deref().and_then(person) {
                    words.push_str(user.as_str());
                    mention = true;
                }
            }
            ("a", true) => mention = false,
            ("br" | "p" | "div" | "li" | "pre" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6", _)
                if !quoted && !words.is_empty() && !words.ends_with('\n') =>
            {
                words.push('\n');
            }
            _ => {}
        }
    }
    if !mention && !quoted {
        words.push_str(&unescape(rest));
    }
    words.trim().to_owned()
}

/// Where a tag links to.
fn link(tag: &str) -> Option<String> {
    let (_, rest) = tag.split_once("href")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\''));
    let target = match quote {
        Some(quote) => rest.get(1..)?.split(quote).next()?,
        None => rest.split_whitespace().next()?,
    };
    Some(unescape(target))
}

/// The person whom a link stands for.
fn person(link: &str) -> Option<OwnedUserId> {
    let id = match MatrixToUri::parse(link) {
        Ok(uri) => uri.id().clone(),
        Err(_) => MatrixUri::parse(link).ok()?.id().clone(),
    };
    match id {
        MatrixId::User(user) => Some(user),
        _ => None,
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        let letter = entity.and_then(|(name, _)| match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some(' '),
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)
            }
        });
        match (letter, entity) {
            (Some(letter), Some((_, tail))) => {
                plain.push(letter);
                rest = tail;
            }
            _ => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_becomes_an_id() {
        let pill = "<a href=\"https://matrix.to/#/@bea:example.org\">Bea &lt;3</a>";
        assert_eq!(
            words(&format!("!challenge {pill} phwar")),
            "!challenge @bea:example.org phwar"
        );
        let encoded = "<a href='https://matrix.to/#/%40bea%3Aexample.org'>Bea</a>: hello";
        assert_eq!(words(encoded), "@bea:example.org: hello");
        assert_eq!(
            words("<a href=\"matrix:u/bea:example.org\">B</a>"),
            "@bea:example.org"
        );
        assert_eq!(words("<a href=\"https://example.org\">here</a>"), "here");
    }

    #[test]
    fn a_quoted_message_is_not_read() {
        let reply = "<mx-reply><blockquote>!resign <a href=\"https://matrix.to/#/@x:y\">x</a></blockquote></mx-reply>F2-F5";
        assert_eq!(words(reply), "F2-F5");
    }

    #[test]
    fn words_stay_words() {
        assert_eq!(words("<p>a &amp; b<br/>c</p><p>d</p>"), "a & b\nc\nd");
        assert_eq!(words("1 &#60; 2 &#x3e; 0 &nope; &"), "1 < 2 > 0 &nope; &");
        assert_eq!(words("move <strong>F2</strong>-F5"), "move F2-F5");
    }

    #[test]
    fn anything_can_be_read() {
        for odd in [
            "<",
            "<a",
            "<a href",
            "<a href=",
            "<a href=\">",
            "</a></a>",
            "&#xffffffff;",
            "é<é>&é;",
            "<mx-reply>",
        ] {
            let _ = words(odd);
        }
        assert_eq!(words("a < b"), "a < b");
    }

    #[test]
    fn what_is_escaped_reads_as_it_was() {
        let nasty = "<b>&\"'</b> &amp; <a href=\"https://matrix.to/#/@x:y.z\">";
        assert!(!escape(nasty).contains('<'));
        assert_eq!(words(&escape(nasty)), nasty);
    }
}
