//! Which match a text names.

use super::About;
use crate::chat::grammar::{self, Verb};
use crate::matches::service::MatchRef;

/// Takes a reference such as `#K7QF`, `K7QF` or `#K7QF@12`.
pub fn read_reference(text: &str) -> About {
    let (code, version) = match text.split_once('@') {
        Some((code, version)) => (code, Some(version.parse().ok()?)),
        None => (text, None),
    };
    let code = code.parse().ok()?;
    Some(MatchRef { code, version })
}

/// A command of ours as it is shown to whoever types it. Who types a move means the board that they see, so they need not
/// say which moment they mean; an answer to what somebody proposes keeps it.
///
/// ```
/// use parlor::chat::command::of_the_moment;
///
/// assert_eq!(of_the_moment("move #K7QF@12 F2-F5"), "move #K7QF F2-F5");
/// assert_eq!(of_the_moment("accept #K7QF@12"), "accept #K7QF@12");
/// ```
pub fn of_the_moment(line: &str) -> String {
    let mut parts = line.splitn(3, ' ');
    let verb = parts.next().and_then(grammar::find).map(|command| command.verb);
    let about = parts.next().and_then(read_reference);
    match (verb, about) {
        (Some(Verb::Move | Verb::Moves | Verb::Preview), Some(MatchRef { code, .. })) => {
            let (head, _) = line.split_once(' ').unwrap_or((line, ""));
            let rest = parts.next().map(|rest| format!(" {rest}"));
            format!("{head} {}{}", MatchRef::from(code), rest.unwrap_or_default())
        }
        (Some(_) | None, _) => line.to_owned(),
    }
}

/// Whether a word is a code with its `#`.
pub(super) fn is_reference(word: &str) -> bool {
    word.starts_with('#') && read_reference(word).is_some()
}

/// Takes the code of a match, with its `#`, out of a text, wherever it stands.
pub fn take_reference(text: &str) -> (String, About) {
    let Some(code) = text.split_whitespace().find(|word| is_reference(word)) else {
        return (text.to_owned(), None);
    };
    let others: Vec<&str> = text.split_whitespace().filter(|word| *word != code).collect();
    (others.join(" "), read_reference(code))
}
