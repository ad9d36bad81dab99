//! The position as one viewer knows it, built up from what that viewer has seen.

use serde::Serialize;

use super::action::Target;
use super::card::{Alignment, Face, Keyword};
use super::flow::{Ask, End, Kind, Progress, Question, TurnStage};
use super::piece::Zone;
use super::pile::Inst;
use super::player::Habits;
use super::shown::Shown;
use super::{MOST_ROUNDS, Phase};
use crate::game::{Seat, SeatSet, Viewer};

/// A position of Phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub players: Vec<PlayerView>,
    /// Good and evil influence in the Nexus, and lost for good.
    pub nexus: [u16; 2],
    pub spent: [u16; 2],
    /// The round, from 1; 0 before the first turn.
    pub round: u8,
    pub most_rounds: u8,
    /// Who starts rounds.
    pub first: Seat,
    /// Whose turn it is, from the first one on.
    pub active: Option<Seat>,
    pub stage: TurnStage,
    /// A pool of the Nexus is empty: the round is played to its end.
    pub last_round: bool,
    pub attack: Option<AttackView>,
    /// The action or training that is being carried out.
    pub doing: Option<DoingView>,
    /// What is asked of whom.
    pub ask: Option<Ask>,
    /// Fights come in the order of the attack, and a pass now is for all that are left.
    #[serde(skip)]
    pub runs_through: bool,
    #[serde(skip)]
    pub passes_run_on: bool,
    /// Who still has to choose a deck, or a first resource.
    pub unready: SeatSet,
    /// The viewer's own secrets that are no cards.
    pub own: Option<Own>,
    pub end: Option<End>,
}

/// One seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    pub seat: Seat,
    pub left: bool,
    /// The name of a ready deck, whose list all may read.
    pub deck_name: Option<String>,
    /// How many cards the deck has, and its top card.
    pub deck: u8,
    pub top: Option<CardView>,
    pub hand: Vec<CardView>,
    pub barracks: Vec<CardView>,
    pub warriors: Vec<WarriorView>,
    pub discard: Vec<CardView>,
    pub influence: [u16; 2],
    /// The player has passed since the last action of this round.
    pub passed: bool,
}

/// A card outside of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardView {
    /// Its place, from 1, by which it is called.
    pub place: u8,
    /// The face that all see: up, or turned to the opponents.
    pub face: Shown,
    /// The other face, if the viewer has seen it: of a hand card the one that gives the order.
    pub behind: Option<Shown>,
    /// Only some have seen the other face.
    #[serde(skip)]
    pub is_secret: bool,
    pub locked: bool,
}

impl CardView {
    /// The other face, if everybody has seen it.
    pub fn open_back(&self) -> Option<&Face> {
        open_back(&self.behind, self.is_secret)
    }
}

fn open_back(behind: &Option<Shown>, is_secret: bool) -> Option<&Face> {
    behind.as_deref().filter(|_| !is_secret)
}

/// A card in play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WarriorView {
    /// By which it is called as long as it is in play.
    pub number: u8,
    pub face: Shown,
    /// The other face, if the viewer has seen it.
    pub behind: Option<Shown>,
    /// Only some have seen the other face.
    #[serde(skip)]
    pub is_secret: bool,
    pub locked: bool,
    /// As modified, damage not subtracted.
    pub attack: i16,
    pub defense: i16,
    /// The bonuses in these.
    pub bonus: [i16; 2],
    pub damage: i16,
    /// Skills that were granted until the turn ends.
    pub granted: Vec<Keyword>,
    /// The places of action skills of this face that were used this turn.
    pub used: Vec<u8>,
}

impl WarriorView {
    /// The other face, if everybody has seen it.
    pub fn open_back(&self) -> Option<&Face> {
        open_back(&self.behind, self.is_secret)
    }
}

/// The attack of this turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttackView {
    /// Who may defend the Nexus.
    pub defender: Seat,
    pub target: Option<Target>,
    pub skirmishes: Vec<SkirmishView>,
}

/// A skirmish, by the numbers of the warriors in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkirmishView {
    pub attacker: u8,
    pub defenders: Vec<u8>,
    /// It is being resolved.
    pub current: bool,
}

/// What is being carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoingView {
    pub seat: Seat,
    pub kind: Kind,
    pub face: Shown,
    /// How many resources are still to be paid, and whether they are locked.
    pub owes: Option<(u8, bool)>,
    /// The choice that is being made, by its place in the effect.
    pub choice: Option<u8>,
    /// The numbers of the warriors chosen so far.
    pub on: Vec<u8>,
}

/// What only the viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Own {
    pub habits: Habits,
    /// The hand card chosen for the barracks before the game.
    pub chosen: Option<u8>,
    /// The deck chosen before the cards are dealt.
    pub deck: Option<String>,
}

impl View {
    pub fn player(&self, seat: Seat) -> Option<&PlayerView> {
        self.players.get(seat.index())
    }

    /// The warrior with a number, and whose it is.
    pub fn warrior(&self, number: u8) -> Option<(Seat, &WarriorView)> {
        self.players.iter().find_map(|player| {
            let warrior = player.warriors.iter().find(|warrior| warrior.number == number)?;
            Some((player.seat, warrior))
        })
    }

    /// Whether a decision is one between acting and passing.
    pub fn is_open_round(&self) -> bool {
        matches!(
            self.ask,
            Some(Ask {
                what: Question::Action,
                ..
            })
        )
    }
}

impl Phase {
    pub(super) fn look(&self, viewer: Viewer) -> View {
        let begun = !self.stage.is_opening();
        View {
            players: Seat::all(self.seats)
                .map(|seat| self.look_at(seat, viewer))
                .collect(),
            nexus: self.nexus,
            spent: self.spent,
            round: self.round,
            most_rounds: MOST_ROUNDS,
            first: self.first,
            active: (begun && self.end.is_none()).then_some(self.active),
            stage: self.stage,
            last_round: self.nexus.contains(&0),
            attack: self.look_at_attack(),
            doing: self.look_at_doing(),
            ask: self.ask,
            runs_through: self.runs_through(),
            passes_run_on: self.passes_run_on(),
            unready: match self.stage {
                TurnStage::Decks => self.undecided(),
                TurnStage::Setup => self.unready(),
                _ => SeatSet::EMPTY,
            },
            own: match viewer {
                Viewer::Seat(seat) if seat.index() < usize::from(self.seats) => Some(Own {
                    habits: self.player(seat).habits,
                    chosen: self.player(seat).chosen,
                    deck: self.secret_deck(seat),
                }),
                Viewer::Seat(_) | Viewer::Public | Viewer::Omniscient => None,
            },
            end: self.end,
        }
    }

    fn look_at(&self, seat: Seat, viewer: Viewer) -> PlayerView {
        let player = self.player(seat);
        let cards = |pile: &[Inst]| -> Vec<CardView> {
            (1u8..)
                .zip(pile)
                .map(|(place, &inst)| self.look_at_card(inst, place, viewer))
                .collect()
        };
        PlayerView {
            seat,
            left: self.left.contains(seat),
            deck_name: self.open_deck(seat).map(str::to_owned),
            deck: player.deck.len() as u8,
            top: player.deck.last().map(|&inst| self.look_at_card(inst, 1, viewer)),
            hand: cards(&player.hand),
            barracks: cards(&player.barracks),
            warriors: player
                .play
                .iter()
                .map(|&inst| self.look_at_warrior(inst, viewer))
                .collect(),
            discard: cards(&player.discard),
            influence: player.influence,
            passed: matches!(
                self.stage,
                TurnStage::Maneuver | TurnStage::Skirmish | TurnStage::Closing
            ) && self.round_of_actions.passed.contains(seat),
        }
    }

    /// The side of a card that is not open to all where it is, if this viewer has seen it.
    fn behind(&self, inst: Inst, viewer: Viewer) -> Option<Shown> {
        let piece = self.piece(inst);
        let hidden: Alignment = match piece.zone {
            Zone::Hand => piece.up,
            _ => piece.up.other(),
        };
        piece.seen[hidden.index()]
            .include(viewer)
            .then(|| Shown(self.side(inst, hidden)))
    }

    fn look_at_card(&self, inst: Inst, place: u8, viewer: Viewer) -> CardView {
        CardView {
            place,
            face: Shown(self.open_face(inst)),
            behind: self.behind(inst, viewer),
            is_secret: self.behind(inst, Viewer::Public).is_none(),
            locked: self.piece(inst).locked,
        }
    }

    fn look_at_warrior(&self, inst: Inst, viewer: Viewer) -> WarriorView {
        let piece = self.piece(inst);
        let used = piece.used[piece.up.index()];
        WarriorView {
            number: piece.number,
            face: Shown(self.face(inst)),
            behind: self.behind(inst, viewer),
            is_secret: self.behind(inst, Viewer::Public).is_none(),
            locked: piece.locked,
            attack: self.attack_of(inst),
            defense: self.defense_of(inst),
            bonus: [piece.attack, piece.defense],
            damage: piece.damage,
            granted: piece.granted.iter().collect(),
            used: (0..8).filter(|place| used & 1 << place != 0).collect(),
        }
    }

    fn look_at_attack(&self) -> Option<AttackView> {
        let attack = self.attack.as_ref()?;
        let number = |inst: Inst| self.piece(inst).number;
        let skirmishes = (0u8..)
            .zip(&attack.skirmishes)
            .filter(|(_, skirmish)| !skirmish.done);
        Some(AttackView {
            defender: attack.defender,
            target: attack.target,
            skirmishes: skirmishes
                .map(|(place, skirmish)| SkirmishView {
                    attacker: number(skirmish.attacker),
                    defenders: skirmish.defenders.iter().map(|&inst| number(inst)).collect(),
                    current: attack.current == Some(place),
                })
                .collect(),
        })
    }

    fn look_at_doing(&self) -> Option<DoingView> {
        let doing = self.doing.as_ref()?;
        let on = doing
            .chosen
            .iter()
            .filter_map(|(_, chosen)| match self.pick_of(*chosen) {
                Some(super::action::Pick::Warrior(number)) => Some(number),
                _ => None,
            });
        Some(DoingView {
            seat: doing.seat,
            kind: doing.kind,
            face: Shown(self.side(doing.card, doing.side)),
            owes: match doing.at {
                Progress::Pay { part, left } => self.part_of(doing, part).map(|(locks, _)| (left, locks)),
                Progress::Choose { .. } | Progress::Run(_) => None,
            },
            choice: match doing.at {
                Progress::Choose { choice } => Some(choice),
                Progress::Pay { .. } | Progress::Run(_) => None,
            },
            on: on.collect(),
        })
    }
}
