//! The toy in pictures and words: as little as serves the laws.

use parlor::draw::{Canvas, Ink, Prose, Scene, Show, Style};
use parlor::game::Viewer;
use parlor::prose;

use super::view::Event;
use super::{Toy, flaw};

impl<const FLAW: u8> Show for Toy<FLAW> {
    const RULES: &'static str = "Bid a card. `bid 3`\n\n## Bids\nThe highest takes the trick.\n";

    fn picture(scene: &Scene<'_, Self>) -> Canvas {
        let mut canvas = Canvas::new(240, 140, scene.theme);
        canvas.fill(Ink::Paper);
        for (line, text) in Self::text(scene).lines().enumerate() {
            canvas.text(
                6.0,
                14.0 + 18.0 * line as f32,
                text,
                Style::regular(14.0),
                Ink::Text,
            );
        }
        canvas
    }

    fn text(scene: &Scene<'_, Self>) -> String {
        let mut text = format!("trick {:?}, {} in the pool\n", scene.view.trick, scene.view.pool);
        for seat in &scene.view.seats {
            text.push_str(&format!(
                "{}: {} points, {} cards, bid {:?}, known {:?}\n",
                seat.seat, seat.points, seat.cards, seat.bid, seat.known
            ));
        }
        if FLAW != flaw::SILENT {
            text.push_str(&scene.call(20));
        }
        text
    }

    fn alt(scene: &Scene<'_, Self>) -> String {
        let last = Self::narrate(scene.recent).plain(|seat| scene.name(seat).to_owned());
        format!("{} {last}", Self::text(scene))
    }

    fn narrate(events: &[Event]) -> Prose {
        let mut prose = Prose::new();
        for event in events {
            let card = |card: &Option<u8>| card.map_or("a card".to_owned(), |card| format!("the {card}"));
            prose.sentence(match event {
                Event::Bid { seat, card: bid } => prose![*seat, format!(" bids {}.", card(bid))],
                Event::Shown { taker, .. } => prose![*taker, " takes the trick."],
                Event::Grabbed { seat, card: drawn } => prose![*seat, format!(" grabs {}.", card(drawn))],
                Event::Declined { seat } => prose![*seat, " declines."],
                Event::Marked { seat, mark } => prose![*seat, format!(" puts mark {mark}.")],
                Event::Peeked { seat, at, card: seen } => {
                    prose![*seat, " sees ", card(seen), " of ", *at, "."]
                }
                Event::Kept { seat } => prose![*seat, " keeps."],
                Event::Left { seat } => prose![*seat, " leaves."],
            });
        }
        prose
    }

    fn hand(scene: &Scene<'_, Self>) -> Option<parlor::draw::HandText> {
        let Viewer::Seat(seat) = scene.viewer else {
            return None;
        };
        let cards = scene.view.seats.get(seat.index())?.hand.as_ref()?;
        let text = format!("You hold {cards:?}.");
        Some(parlor::draw::HandText {
            alt: text.clone(),
            text,
            is_open: false,
        })
    }

    fn hand_picture(scene: &Scene<'_, Self>) -> Option<Canvas> {
        let text = Self::hand(scene)?.text;
        let mut picture = Canvas::new(160, 40, scene.theme);
        picture.fill(Ink::Paper);
        picture.text(6.0, 20.0, &text, Style::regular(14.0), Ink::Text);
        Some(picture)
    }
}
