//! Deliveries in words: what rooms and players are told.

use super::message::{Button, Message, Picture, Piece, Shown, Subject, Text};
use super::refusals::{people, wish_name};
use crate::catalog;
use crate::game::notation::excerpt;
use crate::game::{Information, MAX_SEATS, Seat};
use crate::matches::bot::is_bot;
use crate::matches::code::Code;
use crate::matches::delivery::{Answer, Delivery, GatheringNews, Notice, Turn};
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::state::{CalledOff, Ending, How, Place, Wish};
use crate::text;

/// A delivery as a message. `picture` makes the picture of the match after so many entries, for the
/// public or for one seat.
pub fn message(delivery: &Delivery, picture: &dyn Fn(PictureWish) -> Option<Picture>) -> Message {
    let say = Say {
        delivery,
        game: game_name(&delivery.game),
        picture,
    };
    match &delivery.notice {
        Notice::Gathering {
            news,
            host,
            places,
            options,
            clock,
            expires,
        } => {
            let mut message = say.gathering(news, host, places);
            say.terms(&mut message.text, options, &clock.help());
            message.text.line(text!["The offer stands until ", *expires, "."]);
            message
        }
        Notice::CalledOff(why) => say.called_off(why),
        Notice::Started {
            players,
            options,
            clock,
            commitment,
            narration,
            turn,
        } => {
            let mut text = text![
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                " begins: "
            ];
            let alone = [players.first().cloned()];
            let named: Vec<PlayerId> = if seats_apart(players) {
                players.clone()
            } else {
                alone.into_iter().flatten().collect()
            };
            people(&mut text, &named, "nobody");
            text.push(if seats_apart(players) {
                ", in this order."
            } else {
                ", on every side."
            });
            say.terms(&mut text, options, &clock.help());
            text.line(text![
                "All chance comes from a secret seed whose SHA-256 is ",
                Piece::Code(commitment.clone()),
                "; the end reveals it."
            ]);
            if let Some(welcome) = welcome(&delivery.game) {
                text.line(Text::markdown(welcome));
            }
            if !narration.is_empty() {
                text.line(Text::prose(narration, players));
            }
            say.turn(text, players, turn)
        }
        Notice::Moved {
            players,
            narration,
            turn,
        } => {
            let text = Text::prose(narration, players);
            say.turn(text, players, turn)
        }
        Notice::Ended {
            players,
            narration,
            entries,
            ending,
            seed,
        } => say.ended(players, narration, *entries, ending, seed),
        Notice::Hand {
            seat,
            players,
            entries,
        } => {
            let mut text = text![Piece::Bold(format!("{} #{}", say.game, delivery.code))];
            if seats_apart(players) {
                let others: Vec<PlayerId> = players
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| *index != seat.index())
                    .map(|(_, player)| player.clone())
                    .collect();
                text.push(": your hand, against ");
                people(&mut text, &others, "nobody");
                text.push(".");
            } else {
                text.push(format!(": the hand of side {seat}."));
            }
            Message::text(text).with_picture((say.picture)(PictureWish {
                entries: *entries,
                viewer: Some(*seat),
                what: Shown::Hand,
            }))
        }
        Notice::Proposed {
            players,
            by,
            what,
            asked,
        } => say.proposed(players, *by, *what, asked),
        Notice::Settled {
            players,
            what,
            answer,
            turn,
        } => say.settled(players, *what, answer, turn),
        Notice::StoodIn {
            players,
            seat,
            was,
            turn,
        } => {
            let text = text![
                person(players, *seat),
                " plays on for ",
                was,
                " in ",
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                "."
            ];
            match turn {
                Some(turn) => say.turn(text, players, turn),
                None => Message::text(text),
            }
        }
        Notice::Resumed { players, by, turn } => {
            let text = text![
                person(players, *by),
                " lets the match go on. The clocks run again."
            ];
            say.turn(text, players, turn)
        }
        Notice::Brought { players, by, turn } => {
            let text = text![
                person(players, *by),
                " brings ",
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                " here. Every turn is shown in this room too from now on."
            ];
            say.turn(text, players, turn)
        }
        Notice::PlanDropped { plan, why } => {
            let mut text = text![
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                ": what you said in advance is off, "
            ];
            match why {
                Some(why) => {
                    text.push("because it can't be done any more. ");
                    text.0.extend(Text::markdown(why).0);
                }
                None => text.push("because somebody else has acted first."),
            }
            text.line(text!["It was ", Piece::Code(excerpt(plan)), "."]);
            Message::text(text).with_buttons(vec![Button::primary("What can I do?", say.then("moves"))])
        }
        Notice::RoomLost => {
            let mut message = Message::text(text![
                "I can no longer post in a room of ",
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                ": it is gone, or I may not speak there. The match goes on. Say ",
                Piece::Say(format!("join {}", delivery.code)),
                " in another room to have it shown there, or play it here with me."
            ]);
            message.buttons = vec![Button::primary("The board", say.then("board"))];
            message
        }
        Notice::Reminder {
            players,
            seat,
            left,
            deadline,
        } => {
            let mut message = Message::text(text![
                person(players, *seat),
                ", it is your turn in ",
                Piece::Bold(format!("{} #{}", say.game, delivery.code)),
                format!(", and you have {left} left: until "),
                *deadline,
                "."
            ]);
            message.buttons = vec![
                Button::primary("The board", format!("board #{}", delivery.code)),
                Button::plain("Ask for more time", format!("extend #{} 24", delivery.code)),
            ];
            message.ping = players.get(seat.index()).cloned().into_iter().collect();
            message
        }
    }
}

/// The words that matter most beside a picture, for a platform on which not everybody sees what is written under one:
/// who is called and what happened, or how it ended. Nothing if nobody is called and the match goes on.
pub fn in_short(delivery: &Delivery) -> Option<Message> {
    let say = Say {
        delivery,
        game: game_name(&delivery.game),
        picture: &|_| None,
    };
    let (players, turn, news) = match &delivery.notice {
        Notice::Moved {
            players,
            narration,
            turn,
        } => (players, turn, Text::prose(narration, players)),
        Notice::Started { players, turn, .. }
        | Notice::Resumed { players, turn, .. }
        | Notice::Brought { players, turn, .. }
        | Notice::StoodIn {
            players,
            turn: Some(turn),
            ..
        }
        | Notice::Settled {
            players,
            answer: Answer::Agreed,
            turn,
            ..
        } => (players, turn, Text::new()),
        Notice::Ended { players, ending, .. } => {
            return Some(Message::text(say.result(players, ending)).with_buttons(say.end_buttons()));
        }
        Notice::Settled { .. }
        | Notice::StoodIn { turn: None, .. }
        | Notice::Gathering { .. }
        | Notice::CalledOff(_)
        | Notice::Hand { .. }
        | Notice::PlanDropped { .. }
        | Notice::Proposed { .. }
        | Notice::RoomLost
        | Notice::Reminder { .. } => return None,
    };
    if turn.ping.is_empty() {
        return None;
    }
    // Whoever plays several sides is called once.
    let mut called: Vec<PlayerId> = Vec::new();
    for player in &turn.ping {
        if !called.contains(player) {
            called.push(player.clone());
        }
    }
    let mut text = Text::new();
    people(&mut text, &called, "nobody");
    text.push(", it is your turn in ");
    text.push(Piece::Bold(format!("{} #{}", say.game, delivery.code)));
    if let Some(deadline) = turn.deadline {
        text.push(", until ");
        text.push(deadline);
    }
    text.push(".");
    if !news.is_empty() {
        text.line(news);
    }
    Some(Message {
        text,
        buttons: say.turn_buttons(players),
        ping: called,
        ..Message::default()
    })
}

/// What a message wants a picture of.
#[derive(Clone, Debug)]
pub struct PictureWish {
    pub entries: u32,
    pub viewer: Option<Seat>,
    pub what: Shown,
}

impl PictureWish {
    /// The picture, once it is known what it says.
    pub fn picture(self, code: &Code, theme: ThemeName, side: Seat, alt: String) -> Picture {
        let of = Subject::Match {
            code: code.clone(),
            entries: self.entries,
            viewer: self.viewer,
            what: self.what,
        };
        Picture { of, side, theme, alt }
    }
}

/// The printed name of a game.
pub fn game_name(id: &str) -> String {
    catalog::find(id).map_or_else(|_| id.to_owned(), |entry| entry.meta.name.to_owned())
}

/// What players of this game should know before they begin, if anything.
fn welcome(id: &str) -> Option<&'static str> {
    let entry = catalog::find(id).ok()?;
    Some(entry.welcome).filter(|welcome| !welcome.is_empty())
}

/// Whether players of this game hold what others must not see.
pub fn hides_hands(id: &str) -> bool {
    catalog::find(id).is_ok_and(|entry| entry.meta.information == Information::Hidden)
}

fn person(players: &[PlayerId], seat: Seat) -> Piece {
    match players.get(seat.index()) {
        Some(player) => Piece::Person(player.clone()),
        None => Piece::Plain(format!("Player {seat}")),
    }
}

struct Say<'a> {
    delivery: &'a Delivery,
    game: String,
    picture: &'a dyn Fn(PictureWish) -> Option<Picture>,
}

impl Say<'_> {
    fn code(&self) -> &Code {
        &self.delivery.code
    }

    /// A command about this match as it is now.
    fn now(&self, verb: &str) -> String {
        format!("{verb} #{}@{}", self.code(), self.delivery.version)
    }

    /// A command about this match as it will be when it is pressed.
    fn then(&self, verb: &str) -> String {
        format!("{verb} #{}", self.code())
    }

    fn gathering(&self, news: &GatheringNews, host: &PlayerId, places: &[Place]) -> Message {
        let title = Piece::Bold(format!("{} #{}", self.game, self.code()));
        let invited: Vec<PlayerId> = places
            .iter()
            .filter_map(|place| match place {
                Place::Invited(player) => Some(player.clone()),
                Place::Taken(_) | Place::Free => None,
            })
            .collect();
        let free = places.iter().filter(|place| **place == Place::Free).count();
        let mut text = match news {
            GatheringNews::Opened if invited.is_empty() => text![host, " opens a table of ", title, "."],
            GatheringNews::Opened => {
                let mut text = text![host, " challenges "];
                people(&mut text, &invited, "nobody");
                text.push(" to ");
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Rematch(_) => {
                let mut text = text![host, " offers "];
                people(&mut text, &invited, "nobody");
                text.push(" a rematch: ");
                text.push(title);
                text.push(", seats swapped.");
                text
            }
            GatheringNews::Joined(player) => text![player, " sits down at ", title, "."],
            GatheringNews::Filled(bots) => {
                let mut text = Text::new();
                people(&mut text, bots, "nobody");
                text.push(if bots.len() > 1 {
                    " sit down at "
                } else {
                    " sits down at "
                });
                text.push(title);
                text.push(".");
                text
            }
            GatheringNews::Declined(player) => text![player, " gets up from ", title, " again."],
        };
        let bots: Vec<PlayerId> = places
            .iter()
            .filter_map(|place| match place {
                Place::Taken(player) if is_bot(player) => Some(player.clone()),
                Place::Taken(_) | Place::Invited(_) | Place::Free => None,
            })
            .collect();
        if !bots.is_empty() && !matches!(news, GatheringNews::Filled(_)) {
            let mut line = Text::new();
            people(&mut line, &bots, "nobody");
            line.push(if bots.len() > 1 {
                " play too."
            } else {
                " plays too."
            });
            text.line(line);
        }
        let mut buttons = Vec::new();
        if !invited.is_empty() {
            buttons.push(Button::primary("Accept", self.then("accept")));
            buttons.push(Button::plain("Decline", self.then("decline")));
        }
        if free > 0 {
            let seats = if free == 1 {
                "One seat is free".to_owned()
            } else {
                format!("{free} seats are free")
            };
            text.line(text![
                seats,
                ": ",
                Piece::Say(format!("join {}", self.code())),
                ", from any room."
            ]);
            buttons.push(Button::primary("Join", self.then("join")));
            buttons.push(Button::plain("Fill with bots", self.then("fill")));
        }
        buttons.push(Button::plain(
            "How is it played?",
            format!("rules {}", self.delivery.game),
        ));
        Message {
            text,
            buttons,
            ping: invited,
            ..Message::default()
        }
    }

    /// The options and the clock, as a line.
    fn terms(&self, text: &mut Text, options: &[(String, String)], clock: &str) {
        let mut terms: Vec<String> = options
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        terms.push(clock.to_owned());
        text.line(Text(vec![Piece::Plain(format!(
            "{}.",
            capital(&terms.join("; "))
        ))]));
    }

    fn called_off(&self, why: &CalledOff) -> Message {
        let title = Piece::Bold(format!("{} #{}", self.game, self.code()));
        Message::text(match why {
            CalledOff::Declined(player) => text![player, " declines ", title, "."],
            CalledOff::Cancelled(player) => text![player, " cancels ", title, "."],
            CalledOff::Expired => text!["Nobody came in time: ", title, " is off."],
        })
    }

    /// Whose turn it is, with board and buttons.
    fn turn(&self, mut text: Text, players: &[PlayerId], turn: &Turn) -> Message {
        let mut awaited: Vec<PlayerId> = turn
            .awaited
            .iter()
            .filter_map(|seat| players.get(seat.index()).cloned())
            .collect();
        // Whoever plays every side is named once.
        awaited.dedup();
        let mut line = Text::new();
        people(&mut line, &awaited, "Nobody");
        line.push(if awaited.len() > 1 {
            " are to move"
        } else {
            " is to move"
        });
        if let Some(deadline) = turn.deadline {
            line.push(", until ");
            line.push(deadline);
        }
        line.push(".");
        text.line(line);
        Message {
            text,
            picture: (self.picture)(PictureWish {
                entries: turn.entries,
                viewer: None,
                what: Shown::Board,
            }),
            buttons: self.turn_buttons(players),
            ping: turn.ping.clone(),
            ..Message::default()
        }
    }

    fn turn_buttons(&self, players: &[PlayerId]) -> Vec<Button> {
        let mut buttons = vec![
            Button::primary("Move", self.now("moves")),
            Button::plain("My side", self.then("board")),
            Button::plain("As text", self.then("text")),
        ];
        if hides_hands(&self.delivery.game) {
            buttons.push(Button::plain("My hand", self.then("hand")));
        }
        if people_among(players) == 1 {
            buttons.push(Button::plain("Hint", self.then("hint")));
        }
        buttons
    }

    fn ended(
        &self,
        players: &[PlayerId],
        narration: &crate::draw::Prose,
        entries: u32,
        ending: &Ending,
        seed: &str,
    ) -> Message {
        let mut text = Text::prose(narration, players);
        text.line(self.result(players, ending));
        text.line(text![
            "The seed was ",
            Piece::Code(seed.to_owned()),
            "; its SHA-256 was shown at the start."
        ]);
        Message {
            text,
            picture: (self.picture)(PictureWish {
                entries,
                viewer: None,
                what: Shown::Board,
            }),
            buttons: self.end_buttons(),
            ..Message::default()
        }
    }

    fn end_buttons(&self) -> Vec<Button> {
        vec![
            Button::primary("Rematch", self.then("rematch")),
            Button::plain("Record", self.then("record")),
        ]
    }

    fn result(&self, players: &[PlayerId], ending: &Ending) -> Text {
        let title = Piece::Bold(format!("{} #{}", self.game, self.code()));
        let Some(outcome) = &ending.outcome else {
            return text![title, " is broken off. Nobody has won."];
        };
        let with_rank = |rank: u8| -> Vec<PlayerId> {
            players
                .iter()
                .zip(&outcome.ranks)
                .filter(|(_, r)| **r == rank)
                .map(|(player, _)| player.clone())
                .collect()
        };
        let winners = with_rank(1);
        let mut text = text![title, ": "];
        people(&mut text, &winners, "nobody");
        text.push(if winners.len() > 1 { " draw" } else { " wins" });
        text.push(match ending.how {
            How::Rules => format!(" ({}).", outcome.reason),
            How::Resignation => " by resignation.".to_owned(),
            How::Time => " on time.".to_owned(),
            How::Absence => ", claimed after 14 days of silence.".to_owned(),
            How::Agreement => " by agreement.".to_owned(),
            How::Abort => ".".to_owned(),
        });
        if players.len() > 2 {
            for rank in 2..=MAX_SEATS {
                let there = with_rank(rank);
                if !there.is_empty() {
                    text.push(format!(" {}: ", place_name(rank)));
                    people(&mut text, &there, "nobody");
                    text.push(".");
                }
            }
        }
        text
    }

    fn proposed(&self, players: &[PlayerId], by: Seat, what: Wish, asked: &[PlayerId]) -> Message {
        let verb = match what {
            Wish::Draw => " offers ",
            Wish::Takeback { .. } | Wish::Pause | Wish::Extend { .. } => " asks for ",
            Wish::StandIn { seat, .. } if seat == by => " has to go and asks for ",
            Wish::StandIn { .. } => " asks for ",
        };
        let title = Piece::Bold(format!("{} #{}", self.game, self.code()));
        let mut message = Message::text(text![
            person(players, by),
            verb,
            wish_name(what),
            " in ",
            title,
            "."
        ]);
        message.buttons = vec![
            Button::primary("Agree", self.now("accept")),
            Button::plain("No", self.now("decline")),
        ];
        message.ping = asked.to_vec();
        message
    }

    fn settled(&self, players: &[PlayerId], what: Wish, answer: &Answer, turn: &Turn) -> Message {
        match (answer, what) {
            (Answer::DeclinedBy(seat), _) => {
                let wish = match what {
                    Wish::Draw => "the draw",
                    Wish::Takeback { .. } => "the takeback",
                    Wish::Pause => "the pause",
                    Wish::Extend { .. } => "more time",
                    Wish::StandIn { .. } => "a stand-in",
                };
                Message::text(text![
                    person(players, *seat),
                    format!(" says no to {wish}. The match goes on.")
                ])
            }
            (Answer::WithdrawnBy(seat), _) => {
                let verb = match what {
                    Wish::Draw => " no longer offers ",
                    Wish::Takeback { .. } | Wish::Pause | Wish::Extend { .. } | Wish::StandIn { .. } => {
                        " no longer asks for "
                    }
                };
                Message::text(text![person(players, *seat), verb, wish_name(what), "."])
            }
            (Answer::Agreed, Wish::Pause) => Message::text(text![
                "Everybody agrees: ",
                Piece::Bold(format!("{} #{}", self.game, self.code())),
                " is paused and the clocks stand still.",
            ])
            .with_buttons(vec![Button::primary("Resume", self.then("resume"))]),
            (Answer::Agreed, _) => {
                let text = match what {
                    Wish::Takeback { .. } => text!["Agreed: the match goes back to before that move."],
                    Wish::Draw | Wish::Pause | Wish::Extend { .. } | Wish::StandIn { .. } => {
                        text![format!("Agreed: {}.", wish_name(what))]
                    }
                };
                self.turn(text, players, turn)
            }
        }
    }
}

/// How many people play, bots left aside.
fn people_among(players: &[PlayerId]) -> usize {
    let mut people: Vec<&PlayerId> = players.iter().filter(|player| !is_bot(player)).collect();
    people.sort_unstable();
    people.dedup();
    people.len()
}

/// Whether more than one person plays.
fn seats_apart(players: &[PlayerId]) -> bool {
    players.iter().any(|player| Some(player) != players.first())
}

const fn place_name(rank: u8) -> &'static str {
    match rank {
        2 => "Second",
        3 => "Third",
        4 => "Fourth",
        _ => "Last",
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    first + letters.as_str()
}
