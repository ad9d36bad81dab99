//! The call: whoever reads a text board or an alt text alone knows what is asked of whom, or how it ended.

use parlor::draw::Theme;

use super::law::{Kept, Law, Spot};

/// Looks for the call of the message in what every viewer reads.
pub fn called(spot: &Spot<'_>) -> Kept {
    for viewer in spot.case.viewers() {
        let frame = spot.case.frame(viewer, Theme::Light);
        let mut call = spot.table.ask(viewer);
        call.sentence(spot.table.result());
        let call = call.plain(|seat| spot.case.names[seat.index()].clone());
        let forms = [
            ("text board", spot.table.text(&frame)),
            ("alt text", spot.table.alt(&frame)),
        ];
        for (form, text) in forms {
            let words: Vec<&str> = text.split_whitespace().collect();
            let said = !call.is_empty() && words.join(" ").contains(&call);
            spot.ensure(Law::Call, said, || {
                format!("the {form} of {viewer} does not say \"{call}\"; `Scene::call` does: {text}")
            })?;
        }
    }
    Ok(())
}
