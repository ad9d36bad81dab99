//! Menus with more entries than a platform shows at once.

use super::message::Button;

/// What a menu says before anything is chosen.
pub const CHOOSE: &str = "Choose one";
/// What leads to the page before and the page after.
pub const EARLIER: &str = "Previous page";
pub const MORE: &str = "Next page";

/// One page of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MenuPage<'a> {
    pub entries: &'a [Button],
    /// Counted from zero.
    pub number: usize,
    pub count: usize,
}

/// A page of at most `most` entries; the last one if there are not so many pages.
pub fn page(menu: &[Button], most: usize, number: usize) -> MenuPage<'_> {
    let most = most.max(1);
    let count = menu.len().div_ceil(most).max(1);
    let number = number.min(count - 1);
    let from = number * most;
    let to = (from + most).min(menu.len());
    MenuPage {
        entries: menu.get(from..to).unwrap_or_default(),
        number,
        count,
    }
}

impl MenuPage<'_> {
    /// "Choose one", and which page this is if there are several.
    pub fn prompt(&self) -> String {
        if self.count == 1 {
            CHOOSE.to_owned()
        } else {
            format!("{CHOOSE} (page {} of {})", self.number + 1, self.count)
        }
    }

    pub const fn before(&self) -> Option<usize> {
        self.number.checked_sub(1)
    }

    pub const fn after(&self) -> Option<usize> {
        if self.number + 1 < self.count {
            Some(self.number + 1)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_on_one_page() {
        let menu: Vec<Button> = (0..60).map(|n| Button::plain(n.to_string(), "x")).collect();
        let pages: Vec<MenuPage<'_>> = (0..3).map(|number| page(&menu, 25, number)).collect();
        let shown: Vec<&Button> = pages.iter().flat_map(|page| page.entries).collect();
        assert!(shown.iter().copied().eq(&menu));
        assert_eq!(pages[0].before(), None);
        assert_eq!((pages[1].before(), pages[1].after()), (Some(0), Some(2)));
        assert_eq!(pages[2].after(), None);
        assert_eq!(page(&menu, 25, 99), pages[2]);
        assert_eq!(pages[1].prompt(), "Choose one (page 2 of 3)");
        assert_eq!(page(&[], 25, 0).entries.len(), 0);
    }
}
