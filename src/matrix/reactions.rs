//! Reactions as shortcuts: we put them to a message ourselves, and whoever presses one says what it stands for.

use super::storage::ReactionOffer;
use crate::chat::message::Message;

/// What commands look like as reactions.
const SHORTCUTS: [(&str, &str); 4] = [
    ("accept", YES),
    ("decline", "❌"),
    ("join", SEAT),
    ("rematch", "🔁"),
];

const YES: &str = "✅";
const SEAT: &str = "🙋";

/// What people press instead.
const ALIKE: [(&str, &str); 6] = [
    ("👍", "✅"),
    ("✔", "✅"),
    ("☑", "✅"),
    ("👎", "❌"),
    ("✖", "❌"),
    ("🙋‍♀", "🙋"),
];

/// The reactions that a message offers.
pub fn offers(message: &Message) -> Vec<ReactionOffer> {
    let offer = |command: &String| {
        let verb = command.split(' ').next()?;
        let (_, emoji) = SHORTCUTS.iter().find(|(known, _)| *known == verb)?;
        Some(ReactionOffer {
            emoji: (*emoji).to_owned(),
            command: command.clone(),
        })
    };
    message
        .buttons
        .iter()
        .filter_map(|button| offer(&button.command))
        .collect()
}

/// The command that a reaction stands for.
pub fn command<'o>(offers: &'o [ReactionOffer], key: &str) -> Option<&'o str> {
    // Clients add signs that choose a colour or a skin.
    let bare: String = key
        .chars()
        .filter(|letter| !matches!(letter, '\u{fe0f}' | '\u{fe0e}' | '\u{1f3fb}'..='\u{1f3ff}'))
        .collect();
    let bare = ALIKE
        .iter()
        .find(|(other, _)| *other == bare)
        .map_or(bare.as_str(), |(_, ours)| ours);
    let offered = |emoji: &str| offers.iter().find(|offer| offer.emoji == emoji);
    // Whoever agrees to an open table takes a seat.
    let offer = offered(bare).or_else(|| offered(SEAT).filter(|_| bare == YES))?;
    Some(&offer.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::message::Button;

    #[test]
    fn a_challenge_can_be_answered_with_a_reaction() {
        let message = Message::text("x").with_buttons(vec![
            Button::primary("Accept", "accept #K7QF"),
            Button::plain("Decline", "decline #K7QF"),
            Button::plain("How is it played?", "rules x"),
        ]);
        let offers = offers(&message);
        assert_eq!(offers.len(), 2);
        for yes in ["✅", "👍", "👍🏽", "✔️"] {
            assert_eq!(command(&offers, yes), Some("accept #K7QF"), "{yes}");
        }
        assert_eq!(command(&offers, "❌"), Some("decline #K7QF"));
        assert_eq!(command(&offers, "🎉"), None);
    }

    #[test]
    fn an_open_table_takes_a_yes_for_a_seat() {
        let table = Message::text("x").with_buttons(vec![Button::primary("Join", "join #K7QF")]);
        for yes in ["🙋", "✅", "👍"] {
            assert_eq!(command(&offers(&table), yes), Some("join #K7QF"), "{yes}");
        }
        assert_eq!(command(&offers(&table), "❌"), None);
    }
}
