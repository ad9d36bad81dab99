//! Texts in Discord's mark-up.

use super::PLATFORM;
use super::command_links::CommandLinks;
use super::escape;
use super::ids::DiscordRoom;
use crate::chat::message::{Inline, Text};
use crate::matches::people::PlayerId;

/// What stands where a text was cut.
const CUT: &str = " …";

/// A text as far as it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscordText {
    pub text: String,
    /// Whether all of it fitted.
    pub whole: bool,
}

/// What names stand for on Discord.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// What players of other platforms are called.
    pub player: &'a dyn Fn(&PlayerId) -> String,
    pub commands: &'a CommandLinks,
}

/// Writes a text of at most `most` characters.
pub fn text(text: &Text, most: usize, names: Names<'_>) -> DiscordText {
    let mut written = String::new();
    let room = most.saturating_sub(length(CUT));
    let last = text.0.len().saturating_sub(1);
    for (index, piece) in text.0.iter().enumerate() {
        let fresh = written.is_empty() || written.ends_with('\n');
        let next = self::piece(piece, fresh, names);
        let most = if index == last { most } else { room };
        if length(&written) + length(&next) > most {
            let left = room.saturating_sub(length(&written));
            written.push_str(&part_of(piece, fresh, left));
            written.push_str(CUT);
            return DiscordText {
                text: written,
                whole: false,
            };
        }
        written.push_str(&next);
    }
    DiscordText {
        text: written,
        whole: true,
    }
}

/// How Discord counts, at its strictest.
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text of which nothing has a meaning, cut to a length: for labels and descriptions, where Discord reads no
/// mark-up.
pub fn label(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if length(&cut) + letter.len_utf16() + 1 > most {
            break;
        }
        cut.push(letter);
    }
    cut.push('…');
    cut
}

fn piece(piece: &Inline, fresh: bool, names: Names<'_>) -> String {
    match piece {
        Inline::Plain(text) => escape::plain(text, fresh),
        Inline::Bold(text) if text.trim().is_empty() => String::new(),
        Inline::Bold(text) => format!("**{}**", escape::plain(text.trim(), false)),
        Inline::Code(text) => escape::code(text),
        Inline::Say(command) => names.commands.write(command),
        Inline::Link(url) => url.clone(),
        Inline::Block(text) => {
            let lead = if fresh { "" } else { "\n" };
            format!("{lead}{}\n", escape::block(text))
        }
        Inline::Person(player) => person(player, names.player),
        Inline::Room(room) => match DiscordRoom::of(room) {
            Some(DiscordRoom::Channel(id)) => format!("<#{id}>"),
            Some(DiscordRoom::Dm(_)) | None => escape::plain(&format!("#{}", room.parts().1), fresh),
        },
        // The day, and how long until then.
        Inline::When(time) => {
            let seconds = time.unix_seconds();
            format!("<t:{seconds}:f> (<t:{seconds}:R>)")
        }
        Inline::Break => "\n".to_owned(),
    }
}

/// A person of Discord as a mention, which shows their name of the day; others by name.
fn person(player: &PlayerId, name: &dyn Fn(&PlayerId) -> String) -> String {
    match super::ids::user_of(player) {
        Some(user) => format!("<@{user}>"),
        None => {
            debug_assert_ne!(player.platform(), PLATFORM);
            escape::plain(&name(player), false)
        }
    }
}

/// The beginning of a piece that does not fit as a whole. Nothing that has a meaning as a whole is cut in two.
fn part_of(piece: &Inline, fresh: bool, most: usize) -> String {
    let fitting = |write: &dyn Fn(&str) -> String, text: &str| {
        let mut end = text.len();
        loop {
            let part = write(text.get(..end).unwrap_or_default());
            if end == 0 || length(&part) <= most {
                return if end == 0 { String::new() } else { part };
            }
            // Halving is quick, and where exactly a text ends that is too long matters little.
            end = text.floor_char_boundary(end - end.div_ceil(8));
        }
    };
    match piece {
        Inline::Plain(text) => fitting(&|text| escape::plain(text, fresh), text),
        Inline::Block(text) => {
            let lead = if fresh { "" } else { "\n" };
            fitting(&|text| format!("{lead}{}\n", escape::block(text)), text)
        }
        Inline::Bold(_)
        | Inline::Code(_)
        | Inline::Say(_)
        | Inline::Person(_)
        | Inline::Room(_)
        | Inline::Link(_)
        | Inline::When(_)
        | Inline::Break => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::people::RoomId;
    use crate::matches::time::Time;
    use crate::text;

    fn written(text: &Text, most: usize) -> DiscordText {
        let names = Names {
            player: &|player| format!("*{}*", player.parts().1),
            commands: &CommandLinks::default(),
        };
        super::text(text, most, names)
    }

    #[test]
    fn pieces_become_markup_and_names_do_not() {
        let (bea, cy) = (PlayerId::new("discord", "42"), PlayerId::new("matrix", "cy"));
        let text = text![
            &bea,
            " and ",
            &cy,
            " play ",
            Inline::Bold("Phwar *1*".into()),
            ": ",
            Inline::Code("F2".into()),
            " or ",
            Inline::Say("moves".into()),
            " in ",
            Inline::Room(RoomId::new("discord", "7")),
            Inline::Break,
            "- until ",
            Time(5_000)
        ];
        assert_eq!(
            written(&text, 2000).text,
            "<@42> and \\*cy\\* play **Phwar \\*1\\***: `F2` or `/moves` in <#7>\n\\- until <t:5:f> (<t:5:R>)"
        );
    }

    #[test]
    fn a_long_text_ends_between_pieces_and_says_so() {
        let mut long = text!["x".repeat(50), Inline::Bold("y".repeat(60)), "z"];
        let cut = written(&long, 100);
        assert_eq!(cut.text, format!("{} …", "x".repeat(50)));
        assert!(!cut.whole);
        long.0.insert(0, Inline::Block("line\n".repeat(500)));
        let cut = written(&long, 100);
        assert!(
            length(&cut.text) <= 100 && cut.text.ends_with("\n```\n …"),
            "{}",
            cut.text
        );
        for most in [1, 2, 3, 10] {
            assert!(length(&written(&text!["ab*".repeat(100)], most).text) <= most.max(2));
        }
        assert!(written(&text!["a".repeat(100)], 100).whole);
    }

    #[test]
    fn labels_are_counted_as_discord_counts() {
        assert_eq!(label("short", 10), "short");
        assert_eq!(label("🎲🎲🎲🎲", 5), "🎲🎲…");
        assert!(length(&label(&"x".repeat(300), 100)) == 100);
    }
}
