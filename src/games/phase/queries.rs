//! What can be read off the table: values, groups, amounts, conditions. Nothing here changes anything.

use super::Phase;
use super::action::Target;
use super::card::{
    Ability, Alignment, Amount, CardChoice, CardSide, CardZone, Condition, Effect, Face, Filter, Group,
    Keyword, Reference, Skill, Who,
};
use super::flow::{Chosen, Doing, Kind, Skirmish};
use super::piece::{Piece, Zone};
use super::pile::Inst;
use super::player::Player;
use crate::game::{Seat, SeatSet};

/// Training has no effect of its own.
static NOTHING: Effect = Effect {
    choices: Vec::new(),
    steps: Vec::new(),
};

impl Phase {
    #[inline]
    pub(super) fn piece(&self, inst: Inst) -> &Piece {
        &self.pieces[inst.index()]
    }

    #[inline]
    pub(super) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// The face on one side of a card.
    #[inline]
    pub(super) fn side(&self, inst: Inst, side: Alignment) -> &'static Face {
        let cards = self.cards.0;
        cards.face(cards.card(self.piece(inst).card).face(side))
    }

    /// The active side of a card. Glossary, "Active side".
    #[inline]
    pub(super) fn face(&self, inst: Inst) -> &'static Face {
        self.side(inst, self.piece(inst).up)
    }

    /// The side of a card that all see where it is.
    #[inline]
    pub(super) fn open_face(&self, inst: Inst) -> &'static Face {
        let piece = self.piece(inst);
        match piece.zone {
            Zone::Hand => self.side(inst, piece.up.other()),
            Zone::Deck | Zone::Barracks | Zone::Play | Zone::Discard | Zone::Resolving | Zone::Gone => {
                self.side(inst, piece.up)
            }
        }
    }

    #[inline]
    pub(super) fn in_play(&self, inst: Inst) -> bool {
        self.piece(inst).zone == Zone::Play
    }

    /// "Attack value", as modified; it may be negative.
    #[inline]
    pub(super) fn attack_of(&self, inst: Inst) -> i16 {
        i16::from(self.face(inst).attack) + self.piece(inst).attack
    }

    /// "Defense value", as modified, damage not subtracted.
    #[inline]
    pub(super) fn defense_of(&self, inst: Inst) -> i16 {
        i16::from(self.face(inst).defense) + self.piece(inst).defense
    }

    /// Whether a warrior has a skill, printed or granted.
    #[inline]
    pub(super) fn has(&self, inst: Inst, keyword: Keyword) -> bool {
        self.face(inst).has(keyword) || self.piece(inst).granted.has(keyword)
    }

    /// "Destroy": the damage reaches the defense, or the defense falls to 0, or an effect says so.
    #[inline]
    pub(super) fn is_due(&self, inst: Inst) -> bool {
        let piece = self.piece(inst);
        let defense = self.defense_of(inst);
        piece.zone == Zone::Play && (piece.doomed || defense <= 0 || piece.damage >= defense)
    }

    /// The seats that are still in the game.
    pub(super) fn remaining(&self) -> SeatSet {
        Seat::all(self.seats)
            .filter(|seat| !self.left.contains(*seat))
            .collect()
    }

    /// The remaining seats clockwise from `first`, which comes first if it remains.
    pub(super) fn clockwise(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let (seats, left) = (self.seats, self.left);
        let mut seat = first;
        (0..seats)
            .map(move |_| {
                let this = seat;
                seat = seat.next(seats);
                this
            })
            .filter(move |seat| !left.contains(*seat))
    }

    /// The warriors in play, clockwise from the active player.
    pub(super) fn warriors(&self) -> impl Iterator<Item = Inst> + '_ {
        self.clockwise(self.active)
            .flat_map(|seat| self.player(seat).play.iter().copied())
    }

    pub(super) fn numbered(&self, number: u8) -> Option<Inst> {
        self.warriors().find(|&inst| self.piece(inst).number == number)
    }

    /// The resources that can pay or be trained.
    #[inline]
    pub(super) fn unlocked_resources(&self, seat: Seat) -> impl Iterator<Item = Inst> + Clone + '_ {
        let barracks = self.player(seat).barracks.iter().copied();
        barracks.filter(|&inst| !self.piece(inst).locked)
    }

    /// "If costs cannot be paid, the action may not be taken." A resource pays for one part only.
    pub(super) fn can_pay(&self, seat: Seat, ability: &Ability) -> bool {
        usize::from(ability.resources()) <= self.unlocked_resources(seat).count()
    }

    /// Whether a resource can be trained now: "phase a number of other resources equal to its cost".
    pub(super) fn can_train(&self, inst: Inst) -> bool {
        let piece = self.piece(inst);
        let others = self.unlocked_resources(piece.owner).count().saturating_sub(1);
        !piece.locked && usize::from(self.face(inst).cost) <= others
    }

    /// The skirmish that is being resolved.
    pub(super) fn current(&self) -> Option<&Skirmish> {
        let attack = self.attack.as_ref()?;
        attack.skirmishes.get(usize::from(attack.current?))
    }

    /// Whether a warrior is in the skirmish that is being resolved.
    pub(super) fn in_current(&self, inst: Inst) -> bool {
        self.current().is_some_and(|skirmish| is_in(skirmish, inst))
    }

    /// The skirmish of a warrior, if it is in one that is not over.
    pub(super) fn skirmish_of(&self, inst: Inst) -> Option<&Skirmish> {
        let skirmishes = &self.attack.as_ref()?.skirmishes;
        skirmishes
            .iter()
            .find(|skirmish| !skirmish.done && is_in(skirmish, inst))
    }

    pub(super) fn is_attacking(&self, inst: Inst) -> bool {
        self.skirmish_of(inst)
            .is_some_and(|skirmish| skirmish.attacker == inst)
    }

    pub(super) fn is_defending(&self, inst: Inst) -> bool {
        self.skirmish_of(inst)
            .is_some_and(|skirmish| skirmish.attacker != inst)
    }

    /// The enemy warriors that a warrior faces. "Opposed, opposing".
    pub(super) fn opposing(&self, inst: Inst) -> Vec<Inst> {
        match self.skirmish_of(inst) {
            Some(skirmish) if skirmish.attacker == inst => skirmish.defenders.clone(),
            Some(skirmish) => vec![skirmish.attacker],
            None => Vec::new(),
        }
    }

    fn is_opposed(&self, inst: Inst) -> bool {
        self.skirmish_of(inst)
            .is_some_and(|skirmish| skirmish.attacker != inst || !skirmish.defenders.is_empty())
    }

    /// The action skills of a warrior that can be used and paid for now, by their places on its face.
    /// Rules file: in a skirmish only from those in it, never from a locked one, each once a turn.
    pub(super) fn usable_skills(&self, inst: Inst) -> impl Iterator<Item = (u8, &'static Ability)> + '_ {
        let in_scope = self.current().is_none() || self.in_current(inst);
        self.ready_skills(inst).filter(move |_| in_scope)
    }

    /// The same, whichever skirmish is being resolved.
    pub(super) fn ready_skills(&self, inst: Inst) -> impl Iterator<Item = (u8, &'static Ability)> + '_ {
        let piece = self.piece(inst);
        let ready = piece.zone == Zone::Play && !piece.locked;
        let used = piece.used[piece.up.index()];
        let skills: &'static [Skill] = if ready { &self.face(inst).skills } else { &[] };
        (0u8..).zip(skills).filter_map(move |(place, skill)| match skill {
            Skill::Action(ability) if used & 1 << (place % 8) == 0 && self.can_pay(piece.owner, ability) => {
                Some((place, ability))
            }
            _ => None,
        })
    }

    /// Whether a player could take an action as far as everybody can see: a hand card, or a skill in scope.
    pub(super) fn may_act(&self, seat: Seat) -> bool {
        let player = self.player(seat);
        let spent = player.actions >= super::MOST_ACTIONS;
        let skilled = || {
            player
                .play
                .iter()
                .any(|&inst| self.usable_skills(inst).next().is_some())
        };
        !spent && (!player.hand.is_empty() || skilled())
    }

    /// What is attacked this turn, once it is declared.
    pub(super) fn target(&self) -> Option<Target> {
        self.attack.as_ref()?.target
    }

    /// Who defends against the attack: the player attacked, or whoever defends the Nexus.
    pub(super) fn defending_player(&self) -> Option<Seat> {
        let attack = self.attack.as_ref()?;
        match attack.target? {
            Target::Nexus => Some(attack.defender),
            Target::Player(seat) => Some(seat),
        }
    }

    /// Whether a warrior may be sent against an attacker. "Declare defenders".
    pub(super) fn may_defend(&self, inst: Inst, attacker: Inst) -> bool {
        let piece = self.piece(inst);
        let called = self.defending_player() == Some(piece.owner)
            || self.target() == Some(Target::Nexus) && self.has(inst, Keyword::Ally);
        called
            && !piece.locked
            && piece.owner != self.active
            && self.skirmish_of(inst).is_none()
            && piece.up != self.piece(attacker).up
    }

    /// Whether a player can assign a defender to anything.
    pub(super) fn can_defend(&self, seat: Seat) -> bool {
        let Some(attack) = &self.attack else {
            return false;
        };
        let against = |inst: Inst| {
            let open = attack.skirmishes.iter().filter(|skirmish| !skirmish.done);
            open.map(|skirmish| skirmish.attacker)
                .any(|attacker| self.may_defend(inst, attacker))
        };
        self.player(seat).play.iter().any(|&inst| against(inst))
    }

    /// The ability that is being carried out; none for a training or a trigger, which have no cost.
    pub(super) fn ability_of(&self, doing: &Doing) -> Option<&'static Ability> {
        let face = self.side(doing.card, doing.side);
        match doing.kind {
            Kind::Order => Some(&face.order),
            Kind::Skill(place) => match face.skills.get(usize::from(place)) {
                Some(Skill::Action(ability)) => Some(ability),
                _ => None,
            },
            Kind::Trigger(_) | Kind::Train => None,
        }
    }

    /// What is being carried out.
    pub(super) fn effect_of(&self, doing: &Doing) -> &'static Effect {
        match doing.kind {
            Kind::Order | Kind::Skill(_) => {
                self.ability_of(doing).map_or(&NOTHING, |ability| &ability.effect)
            }
            Kind::Trigger(place) => {
                let skill = self.side(doing.card, doing.side).skills.get(usize::from(place));
                skill.and_then(Skill::effect).unwrap_or(&NOTHING)
            }
            Kind::Train => &NOTHING,
        }
    }

    /// What can still be chosen for a choice of an effect. "Choosing": nothing twice, during a skirmish no warrior
    /// or resource outside it, and no locked card of one's own.
    pub(super) fn candidates(&self, doing: &Doing, place: u8, choice: &CardChoice) -> Vec<Chosen> {
        match choice {
            CardChoice::Player { side } => self.seats_on(doing.seat, *side).map(Chosen::Player).collect(),
            CardChoice::Cards { group, .. } => {
                let fighting = self.current().is_some();
                let taken = |inst: Inst| doing.chosen.contains(&(place, Chosen::Card(inst)));
                let may = |&inst: &Inst| {
                    let piece = self.piece(inst);
                    let in_scope = match piece.zone {
                        Zone::Play => !fighting || self.in_current(inst),
                        Zone::Barracks => !fighting,
                        _ => true,
                    };
                    // An order on its way from the hand is no card of the hand any more.
                    let order = doing.kind == Kind::Order && inst == doing.card;
                    let own_locked = piece.locked && piece.owner == doing.seat;
                    in_scope && !own_locked && !order && !taken(inst)
                };
                let members = self.members(group, doing).into_iter();
                members.filter(may).map(Chosen::Card).collect()
            }
        }
    }

    /// Whether an effect would find anything to choose; one that chooses nothing does.
    pub(super) fn finds_targets(&self, doing: &Doing) -> bool {
        let choices = &self.effect_of(doing).choices;
        let found = |(place, choice): (u8, &CardChoice)| !self.candidates(doing, place, choice).is_empty();
        choices.is_empty() || (0u8..).zip(choices).any(found)
    }

    fn seats_on(&self, seat: Seat, side: CardSide) -> impl Iterator<Item = Seat> + use<> {
        self.clockwise(seat).filter(move |&other| match side {
            CardSide::Mine => other == seat,
            CardSide::Opponents => other != seat,
            CardSide::Any => true,
        })
    }

    /// The cards of a group.
    pub(super) fn members(&self, group: &Group, doing: &Doing) -> Vec<Inst> {
        let mut members = Vec::new();
        for seat in self.seats_on(doing.seat, group.side) {
            let player = self.player(seat);
            let pile: &[Inst] = match group.zone {
                CardZone::Play => &player.play,
                CardZone::Barracks => &player.barracks,
                CardZone::Hand => &player.hand,
                CardZone::Discard => &player.discard,
                CardZone::DeckTop => player.deck.last_chunk::<1>().map_or(&[], |top| top),
            };
            let fits = |inst: &&Inst| {
                group
                    .filters
                    .iter()
                    .all(|&filter| self.passes(**inst, filter, doing))
            };
            members.extend(pile.iter().filter(fits));
        }
        members
    }

    /// Whether a card is as a filter wants it. Of another's hand card the face turned outward counts: nobody may
    /// learn the other one by what can be chosen.
    fn passes(&self, inst: Inst, filter: Filter, doing: &Doing) -> bool {
        let piece = self.piece(inst);
        let face = if piece.owner == doing.seat {
            self.face(inst)
        } else {
            self.open_face(inst)
        };
        match filter {
            Filter::Aligned(alignment) => face.alignment == alignment,
            Filter::Attacking => self.is_attacking(inst),
            Filter::Defending => self.is_defending(inst),
            Filter::Opposed => self.is_opposed(inst),
            Filter::Unopposed => self.skirmish_of(inst).is_some() && !self.is_opposed(inst),
            Filter::Locked => piece.locked,
            Filter::Unlocked => !piece.locked,
            Filter::Damaged => piece.damage > 0,
            Filter::Other => inst != doing.card,
            Filter::OpposingThis => self.opposing(doing.card).contains(&inst),
            Filter::CostAtMost(most) => face.cost <= most,
            Filter::CostAtLeast(least) => face.cost >= least,
            Filter::AttackAtMost(most) => i16::from(face.attack) + piece.attack <= i16::from(most),
            Filter::DefenseAtMost(most) => i16::from(face.defense) + piece.defense <= i16::from(most),
            Filter::Has(keyword) => face.has(keyword) || piece.granted.has(keyword),
        }
    }

    /// The cards that a reference means, wherever they are now.
    pub(super) fn referred(&self, reference: &Reference, doing: &Doing) -> Vec<Inst> {
        match reference {
            Reference::This => match doing.kind {
                // What has left play is no longer the warrior whose skill this was.
                Kind::Skill(_) | Kind::Trigger(_) if self.in_play(doing.card) => vec![doing.card],
                _ => Vec::new(),
            },
            Reference::Chosen(place) => {
                let of = |(choice, chosen): &(u8, Chosen)| match chosen {
                    Chosen::Card(inst) if choice == place => Some(*inst),
                    _ => None,
                };
                let gone = |inst: &Inst| self.piece(*inst).zone == Zone::Gone;
                doing
                    .chosen
                    .iter()
                    .filter_map(of)
                    .filter(|inst| !gone(inst))
                    .collect()
            }
            Reference::Each(group) => self.members(group, doing),
            Reference::OpposingThis => self.opposing(doing.card),
        }
    }

    /// The players that an effect means, clockwise from its own.
    pub(super) fn players_of(&self, who: &Who, doing: &Doing) -> Vec<Seat> {
        match who {
            Who::Me => self.seats_on(doing.seat, CardSide::Mine).collect(),
            Who::EachOpponent => self.seats_on(doing.seat, CardSide::Opponents).collect(),
            Who::Everyone => self.seats_on(doing.seat, CardSide::Any).collect(),
            Who::Chosen(place) => {
                let of = |(choice, chosen): &(u8, Chosen)| match chosen {
                    Chosen::Player(seat) if choice == place && !self.left.contains(*seat) => Some(*seat),
                    _ => None,
                };
                doing.chosen.iter().filter_map(of).collect()
            }
            Who::OwnerOf(reference) => {
                let cards = self.referred(reference, doing);
                let owners: SeatSet = cards.iter().map(|&inst| self.piece(inst).owner).collect();
                self.clockwise(doing.seat)
                    .filter(|seat| owners.contains(*seat))
                    .collect()
            }
        }
    }

    /// A number, read off the table as it is now.
    pub(super) fn amount(&self, amount: &Amount, doing: &Doing) -> i16 {
        let of_cards = |reference: &Reference, value: &dyn Fn(Inst) -> i16| {
            let cards = self.referred(reference, doing);
            cards.into_iter().map(value).fold(0, i16::saturating_add)
        };
        match amount {
            Amount::Number(number) => i16::from(*number),
            Amount::Count(group) => self.members(group, doing).len() as i16,
            Amount::Cost(reference) => of_cards(reference, &|inst| i16::from(self.face(inst).cost)),
            Amount::CostDifference(reference) => of_cards(reference, &|inst| {
                i16::from(self.cards.card(self.piece(inst).card).cost_difference)
            }),
            Amount::Attack(reference) => of_cards(reference, &|inst| self.attack_of(inst)),
            Amount::Defense(reference) => of_cards(reference, &|inst| self.defense_of(inst)),
            Amount::Damage(reference) => of_cards(reference, &|inst| self.piece(inst).damage),
            Amount::HandSize(who) => {
                let players = self.players_of(who, doing).into_iter();
                players.map(|seat| self.player(seat).hand.len() as i16).sum()
            }
            Amount::Influence(who, alignment) => {
                let players = self.players_of(who, doing).into_iter();
                players
                    .map(|seat| self.player(seat).influence[alignment.index()] as i16)
                    .sum()
            }
            Amount::Negated(amount) => self.amount(amount, doing).saturating_neg(),
            Amount::Capped(amount, most) => self.amount(amount, doing).min(i16::from(*most)),
        }
    }

    pub(super) fn holds(&self, condition: &Condition, doing: &Doing) -> bool {
        match condition {
            Condition::Is(reference, filter) => {
                let cards = self.referred(reference, doing);
                !cards.is_empty() && cards.iter().all(|&inst| self.passes(inst, *filter, doing))
            }
            Condition::AtLeast(amount, least) => self.amount(amount, doing) >= i16::from(*least),
            Condition::MyTurn => self.active == doing.seat,
            Condition::InSkirmish => self.current().is_some(),
            Condition::NexusAtMost(alignment, most) => self.nexus[alignment.index()] <= u16::from(*most),
            Condition::Behind => {
                let best = |seat: Seat| self.player(seat).influence.into_iter().max();
                let mine = best(doing.seat);
                self.seats_on(doing.seat, CardSide::Opponents)
                    .any(|seat| best(seat) > mine)
            }
            // All warriors that are due go together after the effect, so none is gone before.
            Condition::Destroyed(reference) => {
                let cards = self.referred(reference, doing);
                !cards.is_empty() && cards.iter().all(|&inst| self.is_due(inst))
            }
            Condition::Not(condition) => !self.holds(condition, doing),
            Condition::All(conditions) => conditions.iter().all(|condition| self.holds(condition, doing)),
            Condition::Any(conditions) => conditions.iter().any(|condition| self.holds(condition, doing)),
        }
    }

    /// The total attack of a player's warriors. "Game end".
    pub(super) fn total_attack(&self, seat: Seat) -> i16 {
        self.player(seat)
            .play
            .iter()
            .map(|&inst| self.attack_of(inst))
            .sum()
    }
}

fn is_in(skirmish: &Skirmish, inst: Inst) -> bool {
    skirmish.attacker == inst || skirmish.defenders.contains(&inst)
}
