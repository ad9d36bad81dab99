//! Who can train is seen: a frame around the resource, and words for those who can't see it.

use parlor::draw::marks::POSSIBLE;
use parlor::draw::mask::Point;
use parlor::draw::{Marks, Scene, Show, Theme};
use parlor::game::{Game, Viewer};
use parlor::games::phase::Phase;
use parlor::games::phase::card::CardSet;

use super::desk::{Desk, ONE, TWO, cards, flat};

fn set() -> &'static CardSet {
    cards("good Plain, 1, 2/3\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\nevil Bear, 3, 4/4")
}

/// Three resources of Ann, the last one locked: one other can pay. So she can train Plain for 1, and not Tall for 3. Bea
/// could train hers, but it isn't her turn.
#[test]
fn what_can_be_trained_is_framed() {
    let mut play = Desk::of(set(), 2)
        .play(ONE, "Wolf / Tall")
        .barracks(ONE, "Tall / Wolf, Plain / Bear, Plain / Wolf!")
        .barracks(TWO, "Plain / Bear, Tall / Bear")
        .go();
    play.say(ONE, "done");
    assert_eq!(play.legal(ONE), ["train 2", "done"]);
    for theme in Theme::ALL {
        let scene = Scene {
            view: &play.game.view(Viewer::Public),
            recent: &[],
            awaiting: play.game.awaiting(),
            outcome: None,
            marks: &Marks::of(&play.game, ONE, None),
            names: &["Ann".to_owned(), "Bea".to_owned()],
            viewer: Viewer::Public,
            side: ONE,
            theme,
        };
        let picture = Phase::picture(&scene);
        let spots = Phase::spots(&scene);
        // Pixels in the colour of what can be done, on the edges of a card.
        let framed = |word: &str| {
            let spot = spots.iter().find(|spot| spot.word == word);
            let corners: &[Point] = &spot.unwrap_or_else(|| panic!("no spot {word}")).corners;
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            let along = |(from, to): (&Point, &Point)| {
                let length = (to.0 - from.0).hypot(to.1 - from.1);
                let inward = |part: f32| (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
                (0..length as u32)
                    .map(|step| inward(step as f32 / length))
                    .filter(|(x, y)| {
                        let near = (-2..=2).flat_map(|right| (-2..=2).map(move |down| (right, down)));
                        near.into_iter().any(|(right, down)| {
                            let (x, y) = (*x as i32 + right, *y as i32 + down);
                            picture.colour_at(x.max(0) as u32, y.max(0) as u32) == Some(theme.rgb(POSSIBLE))
                        })
                    })
                    .count()
            };
            edges.map(along).sum::<usize>()
        };
        let trained = framed("resource-2-of-player-1");
        assert!(trained > 100, "{trained} pixels, {theme:?}");
        for other in [
            "resource-1-of-player-1",
            "resource-3-of-player-1",
            "resource-1-of-player-2",
        ] {
            assert!(framed(other) < 20, "{other}: {} pixels, {theme:?}", framed(other));
        }
        let words = flat(&Phase::text(&scene));
        assert!(words.contains("Resource 2 can be trained."), "{words}");
    }
}
