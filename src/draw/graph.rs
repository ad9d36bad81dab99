//! A graph of who stood better in the course of a match.
//!
//! Where one player's gain is the other's loss there is one line between two fields in their colours; otherwise a line for
//! each player. The places to look at bear numbers.

use super::canvas::Rect;
use super::mask::Point;
use super::shape::Cap;
use super::{Align, Canvas, Ink, Style, Theme, font};

/// The sheet.
const SIZE: [u32; 2] = [960, 480];

/// Where the graph itself lies on it.
const AREA: Rect = Rect::new(64.0, 70.0, 872.0, 350.0);

/// How a player stood at some point of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphPoint {
    /// The turn.
    pub turn: f32,
    /// From 0 (lost) to 1 (won).
    pub worth: f32,
}

/// The line of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: String,
    /// Whose colour it has, counted from 0.
    pub seat: usize,
    pub places: Vec<GraphPoint>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub lines: Vec<Line>,
    /// Whether the first player's gain is the second's loss: then the first one's line tells both.
    pub shared: bool,
    pub turns: u32,
    /// Where to look, the most important first, each with the seat whose line it lies on.
    pub marks: Vec<(usize, GraphPoint)>,
}

impl Graph {
    #[must_use]
    pub fn canvas(&self, theme: Theme) -> Canvas {
        let mut canvas = Canvas::new(SIZE[0], SIZE[1], theme);
        canvas.round_rect(AREA, 4.0, Ink::Panel);
        let [first, second] = match &self.lines[..] {
            [first, second] if self.shared => [first, second],
            [..] => {
                self.lines.iter().for_each(|line| self.line(&mut canvas, line));
                self.legend(&mut canvas);
                self.frame(&mut canvas);
                self.marks(&mut canvas);
                return canvas;
            }
        };
        let points = self.crossing_middle(&first.places);
        let middle = AREA.y + AREA.height / 2.0;
        for (line, upper) in [(first, true), (second, false)] {
            let side = |&(x, y): &Point| (x, if upper { y.min(middle) } else { y.max(middle) });
            let mut field: Vec<Point> = points.iter().map(side).collect();
            if let (Some(&(left, _)), Some(&(right, _))) = (points.first(), points.last()) {
                field.extend([(right, middle), (left, middle)]);
                canvas.polygon(&field, Ink::seat(line.seat).fade(0.45));
            }
        }
        self.grid(&mut canvas);
        canvas.polyline(&points, 3.0, Cap::Round, Ink::Text);
        self.legend(&mut canvas);
        self.frame(&mut canvas);
        self.marks(&mut canvas);
        canvas
    }

    /// Where something lies on the sheet.
    fn point(&self, place: GraphPoint) -> Point {
        let across = place.turn / (self.turns.max(1) as f32);
        (
            AREA.x + AREA.width * across.clamp(0.0, 1.0),
            AREA.bottom() - AREA.height * place.worth.clamp(0.0, 1.0),
        )
    }

    /// A line with a point wherever it crosses the middle, so that what lies above can be told from what lies below.
    fn crossing_middle(&self, places: &[GraphPoint]) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::new();
        let mut before: Option<GraphPoint> = None;
        for &place in places {
            if let Some(last) = before
                && (last.worth - 0.5) * (place.worth - 0.5) < 0.0
            {
                let share = (0.5 - last.worth) / (place.worth - last.worth);
                let turn = last.turn + share * (place.turn - last.turn);
                points.push(self.point(GraphPoint { turn, worth: 0.5 }));
            }
            points.push(self.point(place));
            before = Some(place);
        }
        points
    }

    fn line(&self, canvas: &mut Canvas, line: &Line) {
        let points: Vec<Point> = line.places.iter().map(|&place| self.point(place)).collect();
        canvas.polyline(&points, 4.0, Cap::Round, Ink::seat(line.seat));
    }

    fn grid(&self, canvas: &mut Canvas) {
        let middle = AREA.y + AREA.height / 2.0;
        canvas.line((AREA.x, middle), (AREA.right(), middle), 2.0, Ink::Line);
    }

    fn frame(&self, canvas: &mut Canvas) {
        let small = Style::regular(20.0);
        for (worth, label) in [(0.0, "0"), (0.5, "50"), (1.0, "100")] {
            let y = AREA.bottom() - AREA.height * worth;
            canvas.text(AREA.x - 10.0, y, label, small.align(Align::Right), Ink::Faint);
        }
        self.grid(canvas);
        canvas.frame(AREA, 4.0, 2.0, Ink::Line);
        let below = AREA.bottom() + 24.0;
        canvas.text(AREA.x, below, "the start", small, Ink::Faint);
        let end = format!("turn {}", self.turns);
        canvas.text(AREA.right(), below, &end, small.align(Align::Right), Ink::Faint);
    }

    /// Who is who, above the graph.
    fn legend(&self, canvas: &mut Canvas) {
        let style = Style::bold(24.0);
        let room = (AREA.width - 20.0) / self.lines.len().max(1) as f32;
        for (line, place) in self.lines.iter().zip(0u8..) {
            let x = AREA.x + f32::from(place) * room;
            canvas.circle(x + 12.0, 38.0, 10.0, Ink::rim(line.seat));
            canvas.circle(x + 12.0, 38.0, 8.0, Ink::seat(line.seat));
            let words = if self.shared && place == 0 {
                format!("{} (above)", line.name)
            } else if self.shared {
                format!("{} (below)", line.name)
            } else {
                line.name.clone()
            };
            let words = font::fit(&words, room - 44.0, style);
            canvas.text(x + 32.0, 38.0, &words, style, Ink::Text);
        }
    }

    fn marks(&self, canvas: &mut Canvas) {
        for (index, &(seat, place)) in self.marks.iter().enumerate().rev() {
            let worth = if self.shared && seat == 1 {
                1.0 - place.worth
            } else {
                place.worth
            };
            let (x, y) = self.point(GraphPoint { worth, ..place });
            canvas.circle(x, y, 15.0, Ink::Text);
            canvas.circle(x, y, 13.0, Ink::LastMove);
            let sign = canvas.theme().legible_on(Ink::LastMove);
            let style = Style::bold(18.0).align(Align::Centre);
            canvas.text(x, y, &(index + 1).to_string(), style, sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(shared: bool) -> Graph {
        let line = |name: &str, seat, worths: &[f32]| Line {
            name: name.to_owned(),
            seat,
            places: (0u8..)
                .zip(worths)
                .map(|(turn, &worth)| GraphPoint {
                    turn: f32::from(turn),
                    worth,
                })
                .collect(),
        };
        Graph {
            lines: vec![
                line("ann", 0, &[0.5, 0.9, 0.9, 0.1, 0.1]),
                line("bea", 1, &[0.5, 0.1, 0.1, 0.9, 0.9]),
            ],
            shared,
            turns: 4,
            marks: Vec::new(),
        }
    }

    #[test]
    fn who_stands_better_has_the_field() {
        let canvas = graph(true).canvas(Theme::Light);
        let at = |turn, worth| {
            let (x, y) = graph(true).point(GraphPoint { turn, worth });
            canvas.colour_at(x as u32, y as u32).unwrap()
        };
        // Above the middle the first player's colour, below it the second's; the ground where nobody is.
        let (first, second) = (at(1.5, 0.7), at(3.6, 0.3));
        assert!(
            first.0[0] > first.0[2] && second.0[2] > second.0[0],
            "{first:?} {second:?}"
        );
        assert_eq!(at(1.5, 0.3), Theme::Light.rgb(Ink::Panel));
        assert_eq!(at(3.6, 0.7), Theme::Light.rgb(Ink::Panel));
    }

    #[test]
    fn strange_graphs_are_drawn() {
        for shared in [true, false] {
            for lines in 0..3 {
                let mut graph = graph(shared);
                graph.lines.truncate(lines);
                graph.turns = 0;
                graph.marks = vec![(
                    4,
                    GraphPoint {
                        turn: f32::NAN,
                        worth: 7.0,
                    },
                )];
                graph
                    .lines
                    .iter_mut()
                    .for_each(|line| line.places.truncate(lines));
                assert!(!graph.canvas(Theme::Dark).to_png().unwrap().is_empty());
            }
        }
    }
}
