//! What stands on the page of a match, for one player or for whoever watches; and what may be asked there.
//!
//! A page shows what its viewer may know and nothing else, and nothing in it changes by what others keep to themselves: a
//! private wish of one player must not be noticed by another. So pages know the version of a match, which private wishes
//! leave as it is, and a digest of what the viewer sees; never how long its log is.

use sha2::{Digest, Sha256};

use super::command::{Command, Leave, RecordForm, ReplayWish, ReviewPart};
use super::grammar::{self, spec};
use super::message::{Button, Message, Picture, PictureKind, ReplayedHands, Text};
use super::notices::{PictureWish, ending_in_words, game_name, in_words};
use super::parlor::{Input, Parlor, Reply, Request};
use super::pictures::Audience;
use super::wanted::awaits;
use crate::catalog::Frame;
use crate::game::{Seat, Viewer};
use crate::matches::bot::is_bot;
use crate::matches::change::{begun, seat_of};
use crate::matches::code::Code;
use crate::matches::consent::has_agreed;
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, Moment};
use crate::matches::state::{Play, ProposalKind, Stage};
use crate::matches::time::{Span, Time};
use crate::text::hex;

/// Through whose eyes a page shows a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PageViewer {
    /// A player's own.
    Player(PlayerId),
    /// Those of anybody.
    Public,
}

impl PageViewer {
    pub const fn player(&self) -> Option<&PlayerId> {
        match self {
            Self::Player(player) => Some(player),
            Self::Public => None,
        }
    }

    fn seat(&self, play: &Play) -> Option<Seat> {
        self.player()
            .and_then(|player| play.seats_of(player).iter().next())
    }

    /// What is seen of hands when the match is shown again. Whoever watches is shown no hand, even when it is over.
    const fn hands(&self, stage: &Stage) -> ReplayedHands {
        match (self, stage) {
            (Self::Player(_), Stage::Over(..)) => ReplayedHands::Open,
            (Self::Player(_), Stage::Open(_) | Stage::Running(_) | Stage::CalledOff(_))
            | (Self::Public, _) => ReplayedHands::AsSeen,
        }
    }
}

/// What a page shows of a match.
#[derive(Clone, Debug)]
pub struct MatchPage {
    pub code: Code,
    /// The printed name of the game.
    pub game: String,
    pub version: u64,
    /// What stands for all that the viewer sees now.
    pub state: String,
    pub running: bool,
    pub paused: bool,
    /// Whether something is asked of the viewer.
    pub your_turn: bool,
    pub seats: Vec<PageSeat>,
    /// Until when those who are to move have to.
    pub deadline: Option<Time>,
    /// What is asked now and of whom, or how it ended.
    pub said: Text,
    pub board: Picture,
    /// The theme that the viewer has chosen for themselves, wherever they are.
    pub theme: Option<ThemeName>,
    /// The viewer's own hand.
    pub hand: Option<Picture>,
    /// What the viewer can do in the match besides touching its board.
    pub buttons: Vec<Button>,
    /// What they can look at, or look up.
    pub more: Vec<Button>,
}

/// One seat at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSeat {
    pub name: String,
    /// Whether it is the viewer's.
    pub own: bool,
    /// What is left on its clock, if that is counted.
    pub left: Option<Span>,
    /// Whether it is to move.
    pub runs: bool,
    pub thinking: bool,
    pub gone: bool,
}

/// The pictures of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagePicture {
    Board,
    /// The viewer's own hand, if there is one.
    Hand,
    /// The board at the end of a turn; 0 is the opening.
    Turn(u32),
}

/// A picture with the moment of which it is.
#[derive(Clone, Debug)]
pub struct SeenPicture {
    pub picture: Picture,
    pub version: u64,
    /// What stands for all that its viewer sees at that moment.
    pub state: String,
}

/// What a player asks by way of their page of a match, if it may be asked there: a command that names this very match.
/// Nothing else leaves the page, however it is put.
pub fn asked_on_page(input: &Input, code: &Code) -> bool {
    input.command().is_some_and(|command| {
        let about_it = command.about().is_some_and(|about| about.code == *code);
        about_it && spec(command.verb()).on_pages
    })
}

/// The same of a command that a button carries, as we write them: the verb, and behind it the match.
fn is_offered_on_page(command: &str, code: &Code) -> bool {
    let mut words = command.split_whitespace();
    let verb = words.next().and_then(grammar::find);
    let about = words.next().and_then(|word| word.strip_prefix('#'));
    let about = about.map(|about| about.split_once('@').map_or(about, |(code, _)| code));
    verb.is_some_and(|spec| spec.on_pages) && about.is_some_and(|about| about == code.as_str())
}

impl Parlor {
    /// What the page of a match shows now.
    pub fn match_page(&self, code: &Code, eyes: &PageViewer) -> Result<MatchPage, Failure> {
        let found = self.service.find(code)?;
        let play = begun(&found)?;
        let moment = self.service.moment();
        let running = found.running().is_some();
        let seat = eyes.seat(play);
        let wish = |what| PictureWish {
            entries: play.entries,
            viewer: seat,
            what,
        };
        let board = self.describe(&found, wish(PictureKind::Board), audience(eyes))?;
        let theme = match eyes.player() {
            Some(player) => self.service.person(player)?.settings.chosen_theme(),
            None => None,
        };
        let hand = match eyes.player().filter(|_| running) {
            Some(player) => self.hand_on_page(&found, play, player)?,
            None => None,
        };
        let said = match &found.stage {
            Stage::Over(play, ending) => ending_in_words(&play.players, ending),
            Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) if play.paused.is_some() => {
                Text::from("The match is paused, and so are the clocks.")
            }
            Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) => {
                let table = found.table()?;
                let awaited: Vec<Seat> = table.awaiting().seats().iter().collect();
                let question = table.ask(Viewer::Public);
                in_words(&question, &awaited, None, &play.players)
            }
        };
        let (buttons, more) = match eyes.player() {
            Some(player) => (buttons(&found, play, player), more(&found)),
            None => (Vec::new(), Vec::new()),
        };
        Ok(MatchPage {
            code: found.code.clone(),
            game: game_name(&found.game),
            version: found.version,
            state: seen_state(&found, play, eyes)?,
            running,
            paused: play.paused.is_some(),
            your_turn: eyes.player().is_some_and(|player| awaits(&found, player)),
            seats: self.seats_on_page(&found, play, eyes, &moment)?,
            deadline: play
                .deadline(&moment.hours, moment.now)
                .filter(|_| running && play.paused.is_none()),
            said,
            board,
            theme,
            hand,
            buttons,
            more,
        })
    }

    /// What happened in a match, turn by turn, as a page tells it. It takes as long as playing the match again.
    pub fn story_on_page(&self, code: &Code, eyes: &PageViewer) -> Result<Vec<Text>, Failure> {
        let found = self.service.find(code)?;
        let play = begun(&found)?;
        let viewer = eyes.hands(&found.stage).viewer(eyes.seat(play));
        let story = self.service.record(&found)?.story(viewer);
        let story = story.map_err(|error| Fault::new("telling the story of a match", error))?;
        Ok(story
            .iter()
            .map(|told| Text::prose(told, &play.players))
            .collect())
    }

    /// A picture of a page.
    pub fn page_picture(
        &self,
        code: &Code,
        eyes: &PageViewer,
        what: PagePicture,
    ) -> Result<Option<SeenPicture>, Failure> {
        let found = self.service.find(code)?;
        let play = begun(&found)?;
        let wish = |what| PictureWish {
            entries: play.entries,
            viewer: eyes.seat(play),
            what,
        };
        let picture = match what {
            PagePicture::Board => Some(self.describe(&found, wish(PictureKind::Board), audience(eyes))?),
            PagePicture::Hand => match eyes.player().filter(|_| found.running().is_some()) {
                Some(player) => self.hand_on_page(&found, play, player)?,
                None => None,
            },
            PagePicture::Turn(number) => {
                let hands = eyes.hands(&found.stage);
                let what = PictureKind::Turn { number, hands };
                Some(self.describe(&found, wish(what), audience(eyes))?)
            }
        };
        let (version, state) = (found.version, seen_state(&found, play, eyes)?);
        Ok(picture.map(|picture| SeenPicture {
            picture,
            version,
            state,
        }))
    }

    /// Answers what a player asks by way of a page. What can't be asked there is not offered there.
    pub async fn handle_on_page(&self, request: &Request, code: &Code) -> Reply {
        if asked_on_page(&request.input, code) {
            let mut reply = self.handle(request).await;
            let fits = |button: &Button| is_offered_on_page(&button.command, code);
            reply.message.buttons.retain(fits);
            reply.message.menu.retain(fits);
            return reply;
        }
        let text = Text::from("You can't ask that here: this page is for one match. Ask me in the chat.");
        Reply::open(Message::text(text)).passing()
    }

    fn hand_on_page(
        &self,
        found: &Loaded,
        play: &Play,
        player: &PlayerId,
    ) -> Result<Option<Picture>, Failure> {
        let table = found.table()?;
        let seat = match seat_of(found, play, player, table.awaiting().seats()) {
            Ok(seat) => seat,
            Err(Refusal::YouLeft(_)) => return Ok(None),
            Err(refusal) => return Err(refusal.into()),
        };
        let names = self.names(play)?;
        let Some(_) = table.hand(&Frame::new(Viewer::Seat(seat), &names)) else {
            return Ok(None);
        };
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(seat),
            what: PictureKind::Hand,
        };
        self.describe(found, wish, Audience::Player(player)).map(Some)
    }

    fn seats_on_page(
        &self,
        found: &Loaded,
        play: &Play,
        eyes: &PageViewer,
        moment: &Moment,
    ) -> Result<Vec<PageSeat>, Failure> {
        let running = found.running().is_some();
        let names = self.names(play)?;
        let seated = play.players.iter().zip(&play.clocks).zip(names);
        let shown = seated.zip(Seat::all(play.players.len() as u8));
        Ok(shown
            .map(|(((player, clock), name), seat)| {
                let here = moment.hours.now_at(player.platform(), moment.now);
                let spent = clock.running.map(|since| here.since(since)).unwrap_or_default();
                let runs = clock.running.is_some();
                PageSeat {
                    name,
                    own: eyes.player() == Some(player),
                    left: clock
                        .bank
                        .map(|bank| bank.saturating_sub(spent))
                        .filter(|_| running),
                    runs,
                    thinking: runs && is_bot(player),
                    gone: play.left.contains(seat),
                }
            })
            .collect())
    }
}

const fn audience(eyes: &PageViewer) -> Audience<'_> {
    match eyes {
        PageViewer::Player(player) => Audience::Player(player),
        PageViewer::Public => Audience::Anybody,
    }
}

/// A digest of all that a viewer sees. It is the same where the viewer can't tell two matches apart.
fn seen_state(found: &Loaded, play: &Play, eyes: &PageViewer) -> Result<String, Failure> {
    let table = found.table()?;
    let mut digest = Sha256::new();
    digest.update(found.version.to_be_bytes());
    let own = eyes.player().map(|player| play.seats_of(player));
    let seats = own.iter().flat_map(|own| own.iter()).map(Viewer::Seat);
    for viewer in [Viewer::Public].into_iter().chain(seats) {
        digest.update(table.view(viewer).to_string());
    }
    Ok(hex(&digest.finalize()[..8]))
}

/// The label of the button by which a player agrees.
fn agreement(wish: ProposalKind) -> String {
    match wish {
        ProposalKind::Draw => "Agree to a draw".to_owned(),
        ProposalKind::Takeback { .. } => "Agree to an undo".to_owned(),
        ProposalKind::Pause => "Agree to a pause".to_owned(),
        ProposalKind::Extend { by } => format!("Agree to {by} more for everybody"),
        ProposalKind::Watch => "Agree to be watched".to_owned(),
        ProposalKind::StandIn { level, .. } => format!("Agree to a stand-in (the bot at level {level})"),
    }
}

/// What a player can do in a match besides touching its board.
fn buttons(found: &Loaded, play: &Play, player: &PlayerId) -> Vec<Button> {
    let about = || Some(MatchRef::from(found.code.clone()));
    let mut buttons = Vec::new();
    let mut offer = |label: &str, command: Command| buttons.push(Button::plain(label, command));
    if found.is_played_by(player) {
        for proposal in &play.proposals {
            let answer = Some(MatchRef {
                code: found.code.clone(),
                version: Some(proposal.made),
            });
            if has_agreed(play, player, proposal) {
                offer("Withdraw what you asked for", Command::Decline(answer));
            } else {
                offer(&agreement(proposal.what), Command::Accept(answer.clone()));
                offer("No", Command::Decline(answer));
            }
        }
        let alone = play.players.iter().all(|other| other == player || is_bot(other));
        if awaits(found, player) {
            let now = Some(MatchRef {
                code: found.code.clone(),
                version: Some(found.version),
            });
            let picked = String::new();
            offer("Pick a move", Command::Moves { about: now, picked });
            if alone {
                offer("Hint", Command::Hint(about()));
            }
        }
        offer("Undo", Command::Undo(about()));
        if !play.players.iter().all(|other| other == player) {
            offer("Offer a draw", Command::Draw(about()));
        }
        if play.paused.is_some() {
            offer("Resume", Command::Resume(about()));
        } else if found.clock.bank().is_some() {
            offer("Pause", Command::Pause(about()));
            let hours = Some(24);
            offer(
                "More time",
                Command::Extend {
                    about: about(),
                    hours,
                },
            );
        } else if !alone {
            offer("Claim", Command::Claim(about()));
        }
        if !play.left.is_empty() {
            let level = None;
            offer(
                "Ask for a stand-in",
                Command::Replace {
                    about: about(),
                    level,
                },
            );
        }
        if alone {
            offer("Break off", Command::Abort(about()));
        }
    }
    if found.is_played_by(player) {
        let how = Leave::Ask;
        buttons.push(Button::danger("Resign", Command::Resign { about: about(), how }));
    }
    buttons
}

/// What a player can look at in a match, or look up: the match again, what they missed, what the bot says of it when it is over.
fn more(found: &Loaded) -> Vec<Button> {
    let about = || Some(MatchRef::from(found.code.clone()));
    let mut buttons = Vec::new();
    let mut offer = |label: &str, command: Command| buttons.push(Button::plain(label, command));
    let wish = ReplayWish::default();
    offer("Replay", Command::Replay { about: about(), wish });
    match &found.stage {
        Stage::Over(..) => {
            let part = ReviewPart::Whole;
            offer("Review", Command::Review { about: about(), part });
        }
        Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) => {
            offer("What did I miss?", Command::CatchUp(about()));
        }
    }
    let text = String::new();
    offer("My notes", Command::Note { about: about(), text });
    offer("As text", Command::Text(about()));
    let (game, words) = (None, String::new());
    offer(
        "Rules",
        Command::Rules {
            about: about(),
            game,
            words,
        },
    );
    offer("Details", Command::Details(about()));
    let form = RecordForm::default();
    offer("Record", Command::Record { about: about(), form });
    buttons
}
