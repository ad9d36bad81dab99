//! What a button or a menu carries: all that is needed to know what was pressed, after years and restarts too.
//!
//! A button carries its command and nothing else, since both have the same limit. What is no command begins with a
//! sign that no command begins with.

/// The most characters that Discord lets a component carry.
pub const LONGEST: usize = 100;

/// What somebody pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComponentId {
    /// This was said.
    Say(String),
    /// One of a menu was chosen; its value is what was said.
    Choose,
    /// Another page of the menu that this line brings.
    Turn { page: usize, line: String },
}

const MENU: char = '?';
const PAGE: char = '>';

impl ComponentId {
    pub fn read(id: &str) -> Self {
        if id.starts_with(MENU) {
            return Self::Choose;
        }
        let turned = id.strip_prefix(PAGE).and_then(|rest| rest.split_once(' '));
        if let Some((page, line)) = turned
            && let Ok(page) = page.parse()
        {
            return Self::Turn {
                page,
                line: line.to_owned(),
            };
        }
        Self::Say(id.to_owned())
    }
}

/// The id of a menu; `number` tells menus of one message apart.
pub fn menu(number: usize) -> String {
    format!("{MENU}{number}")
}

/// The id of a button that turns to a page, if it fits.
pub fn page(page: usize, line: &str) -> Option<String> {
    let id = format!("{PAGE}{page} {line}");
    (id.chars().count() <= LONGEST).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::grammar::COMMANDS;

    #[test]
    fn what_is_pressed_is_read_back() {
        assert_eq!(ComponentId::read(&menu(0)), ComponentId::Choose);
        assert_eq!(
            ComponentId::read(&page(3, "moves #K7QF@12 F2").unwrap()),
            ComponentId::Turn {
                page: 3,
                line: "moves #K7QF@12 F2".to_owned()
            }
        );
        assert_eq!(
            ComponentId::read("accept #K7QF"),
            ComponentId::Say("accept #K7QF".to_owned())
        );
        assert_eq!(page(1, &"x".repeat(98)), None);
        // What somebody else's message carries is a line like any other.
        assert_eq!(
            ComponentId::read(">x moves"),
            ComponentId::Say(">x moves".to_owned())
        );
    }

    #[test]
    fn no_command_looks_like_a_menu_or_a_page() {
        for command in COMMANDS {
            assert_eq!(
                ComponentId::read(command.name),
                ComponentId::Say(command.name.to_owned())
            );
        }
    }
}
