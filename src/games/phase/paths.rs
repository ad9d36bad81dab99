//! The words by which an action is picked, with the questions that they answer.

use super::Phase;
use super::action::{Action, Pick, Target, hand_letter};
use super::bring::Bring;
use super::card::{Ability, CardChoice, CardSide, CardZone, Cost, Skill, text};
use super::flow::{Progress, Question, TurnStage};
use super::write::{pick_name, target_name};
use crate::game::{Seat, Word};

impl Phase {
    pub(super) fn words(&self, seat: Seat, action: Action) -> Vec<Vec<Word>> {
        let asks = self.question();
        let verb = |text: &str, help: &str| Word::new(asks, text).with_help(help);
        let words = match action {
            Action::Deck(bring) => vec![verb("bring", "a deck"), self.deck_word(bring)],
            Action::Enlist(place) => vec![
                verb("enlist", "a hand card into the barracks"),
                self.hand_word("Which hand card becomes your first resource?", seat, place),
            ],
            Action::Pass => vec![verb("pass", self.pass_help())],
            Action::PassHere => vec![
                Word::labelled(asks, "pass-skirmish", "pass in this one only")
                    .with_help("I ask you again in the next skirmish"),
            ],
            Action::PassWhatever => vec![
                Word::labelled(asks, "pass-whatever", "pass whatever happens")
                    .with_help("no more defenders, and no action in the fights"),
            ],
            Action::PassUnopposed => vec![
                Word::labelled(asks, "pass-unopposed", "pass where I oppose nobody")
                    .with_help("I ask you only in the fights of your own warriors"),
            ],
            Action::Attack => vec![verb("attack", "this turn")],
            Action::Maneuver => vec![
                Word::labelled(asks, "maneuver", "maneuver first")
                    .with_help("orders and skills before you declare the attack"),
            ],
            Action::Target(target) => vec![
                verb("target", "of this attack"),
                Word::labelled(
                    "What do you attack?",
                    target_name(target).replace(' ', "-"),
                    match target {
                        Target::Nexus => "the Nexus".to_owned(),
                        Target::Player(other) => format!("player {other}"),
                    },
                )
                .with_help(match target {
                    Target::Nexus => "gain influence",
                    Target::Player(_) => "they lose influence",
                }),
            ],
            Action::Attacker(number) => vec![
                verb("with", "another attacker"),
                self.warrior_word("Which warrior attacks?", seat, number),
            ],
            Action::Defend { attacker, defender } => vec![
                verb("defend", "against an attacker"),
                self.warrior_word("Against which attacker?", seat, attacker),
                self.warrior_word("Which of your warriors defends?", seat, defender)
                    .after("with"),
            ],
            Action::Skirmish(number) => vec![
                verb("skirmish", "the next one"),
                self.warrior_word("Which attacker's skirmish is next?", seat, number),
            ],
            Action::Train(place) => vec![
                verb("train", "a resource into play"),
                self.resource_word("Which resource do you train?", seat, place),
            ],
            Action::Order(place) | Action::IdleOrder(place) => {
                let idle = matches!(action, Action::IdleOrder(_));
                vec![
                    verb("order", "from your hand"),
                    self.order_word(seat, place, idle),
                ]
            }
            Action::Skill { number, skill } | Action::IdleSkill { number, skill } => {
                let idle = matches!(action, Action::IdleSkill { .. });
                self.skill_words(seat, number, skill, idle, asks)
            }
            Action::Choose(pick) => vec![verb("on", "your choice"), self.pick_word(seat, pick)],
            Action::Pay(place) => vec![
                verb("pay", "with a resource"),
                self.resource_word(asks, seat, place),
            ],
            Action::Discard(place) => vec![
                verb("discard", "a card"),
                self.hand_word("Which hand card do you discard?", seat, place),
            ],
            Action::Deal { defender, damage } => vec![
                verb("give", "damage"),
                self.warrior_word("Who takes it?", seat, defender),
                Word::labelled("How much?", damage.to_string(), format!("{damage} damage"))
                    .with_help(self.damage_help(defender, damage))
                    .touching([]),
            ],
            Action::Done => {
                vec![Word::labelled(asks, "done", self.done_label()).with_help(self.done_help())]
            }
            Action::Aside(_) => {
                vec![Word::new(asks, self.write(action)).with_help("a private setting")]
            }
        };
        vec![words]
    }

    /// What an action is good for: the text of the card whose order or skill it is, or what was picked where nothing
    /// happens yet.
    pub(super) fn good_for(&self, seat: Seat, action: Action) -> Option<String> {
        match action {
            Action::Order(place) | Action::IdleOrder(place) => {
                let inst = self.player(seat).hand.at(place)?;
                Some(text::ability(&self.face(inst).order))
            }
            Action::Skill { number, skill } | Action::IdleSkill { number, skill } => {
                let inst = self.numbered(number)?;
                Some(text::skill(self.face(inst).skills.get(usize::from(skill))?))
            }
            Action::Deck(_) | Action::Enlist(_) | Action::Target(_) | Action::Discard(_) | Action::Done => {
                let words = self.words(seat, action);
                let word = words.first()?.last()?;
                let parts = [word.label.as_str(), word.help.as_str()];
                Some(parts.join(": ").trim_end_matches([':', ' ']).to_owned())
            }
            Action::Pass
            | Action::PassHere
            | Action::PassWhatever
            | Action::PassUnopposed
            | Action::Attack
            | Action::Maneuver
            | Action::Attacker(_)
            | Action::Defend { .. }
            | Action::Skirmish(_)
            | Action::Train(_)
            | Action::Choose(_)
            | Action::Pay(_)
            | Action::Deal { .. }
            | Action::Aside(_) => None,
        }
    }

    /// What is asked now.
    pub(super) fn question(&self) -> &'static str {
        if self.stage == TurnStage::Decks {
            return DECKS;
        }
        let Some(ask) = self.ask else {
            return "Which hand card becomes your first resource?";
        };
        match ask.what {
            Question::Attack => "Do you attack this turn?",
            Question::Action => match self.stage {
                TurnStage::Maneuver => "Maneuvering: take an action, or pass?",
                TurnStage::Skirmish => "In this skirmish: take an action, or pass?",
                _ => "The turn is ending: take an action, or pass?",
            },
            Question::Target => "What do you attack?",
            Question::Attackers => "Who attacks?",
            Question::Defenders => "Who defends against whom?",
            Question::Skirmish => "Which skirmish is next?",
            Question::Training => "Training: what do you do?",
            Question::Choose => self.choice_question(),
            Question::Pay => match self.owed() {
                Some(true) => "Which of your resources do you lock to pay?",
                _ => "Which of your resources do you turn over to pay?",
            },
            Question::Discard => "Which hand card do you discard?",
            Question::Divide(_) => "How much damage does this defender take?",
        }
    }

    /// Whether what is to be paid next is a lock.
    fn owed(&self) -> Option<bool> {
        let doing = self.doing.as_ref()?;
        match doing.at {
            Progress::Pay { part, .. } => self.part_of(doing, part).map(|(locks, _)| locks),
            Progress::Choose { .. } | Progress::Run(_) => None,
        }
    }

    /// What a pass means now.
    pub(super) fn pass_help(&self) -> &'static str {
        match self.ask.map(|ask| ask.what) {
            Some(Question::Defenders) => {
                "no more defenders, and no action in the fights unless somebody acts"
            }
            Some(Question::Action) if self.passes_run_on() => {
                "no action in any of the fights unless somebody acts"
            }
            _ => "no action now",
        }
    }

    /// What the choice under way asks.
    fn choice_question(&self) -> &'static str {
        let choice = self.doing.as_ref().and_then(|doing| match doing.at {
            Progress::Choose { choice } => self.effect_of(doing).choices.get(usize::from(choice)),
            Progress::Pay { .. } | Progress::Run(_) => None,
        });
        choice_question(choice)
    }

    fn done_label(&self) -> &'static str {
        match self.ask.map(|ask| ask.what) {
            Some(Question::Attack) => "no attack this turn",
            Some(Question::Attackers) => "no more attackers",
            Some(Question::Defenders)
                if self.runs_through() && self.ask.is_some_and(|ask| self.may_act(ask.seat)) =>
            {
                "no more defenders, ask me in the fights"
            }
            Some(Question::Defenders) => "no more defenders",
            Some(Question::Training) => "end the training step",
            _ => "choose no more",
        }
    }

    /// What follows when somebody is done.
    fn done_help(&self) -> &'static str {
        match self.ask.map(|ask| ask.what) {
            Some(Question::Attack) => "your turn goes on with training",
            Some(Question::Attackers) => "these attack; now defenders are sent",
            Some(Question::Defenders) => "now the skirmishes are fought",
            Some(Question::Training) => "your turn ends after the others could act",
            _ => "what is chosen is enough",
        }
    }

    /// What so much damage does to a defender.
    fn damage_help(&self, defender: u8, damage: u8) -> &'static str {
        let Some(inst) = self.numbered(defender) else {
            return "dealt to this defender";
        };
        let left = self.defense_of(inst) - self.piece(inst).damage;
        match i16::from(damage) {
            0 => "none to this one",
            damage if damage >= left => "enough to destroy it",
            _ => "not enough to destroy it",
        }
    }

    /// A warrior, "5 Gladiator", with "1/3, player 2".
    pub(super) fn warrior_word(&self, asks: &'static str, seat: Seat, number: u8) -> Word {
        let word = Word::new(asks, number.to_string());
        let Some(inst) = self.numbered(number) else {
            return word;
        };
        let piece = self.piece(inst);
        let mut help = format!("{}/{}", self.attack_of(inst), self.defense_of(inst));
        if piece.damage > 0 {
            help.push_str(&format!(", {} damage", piece.damage));
        }
        if piece.locked {
            help.push_str(", locked");
        }
        if piece.owner == seat {
            help.push_str(", yours");
        } else {
            help.push_str(&format!(", player {}", piece.owner));
        }
        Word {
            label: format!("{number} {}", self.face(inst).name),
            help,
            ..word
        }
    }

    fn hand_word(&self, asks: &'static str, seat: Seat, place: u8) -> Word {
        let letter = hand_letter(place);
        let word = Word::new(asks, letter.to_string()).touching([Pick::Hand(seat, place).spot()]);
        match self.player(seat).hand.at(place) {
            Some(inst) => Word {
                label: format!("{letter} {}", self.face(inst).name),
                help: format!("behind it {}", self.open_face(inst).name),
                ..word
            },
            None => word,
        }
    }

    fn resource_word(&self, asks: &'static str, seat: Seat, place: u8) -> Word {
        let word = Word::new(asks, place.to_string()).touching([Pick::Resource(seat, place).spot()]);
        let Some(inst) = self.player(seat).barracks.at(place) else {
            return word;
        };
        let (face, behind) = (self.face(inst), self.side(inst, self.piece(inst).up.other()));
        Word {
            label: format!("{place} {}", face.name),
            help: format!("cost {}, behind it {}", face.cost, behind.name),
            ..word
        }
    }

    fn order_word(&self, seat: Seat, place: u8, idle: bool) -> Word {
        let letter = hand_letter(place);
        let word = Word::new("Which hand card gives its order?", letter.to_string())
            .touching([Pick::Hand(seat, place).spot()]);
        let Some(inst) = self.player(seat).hand.at(place) else {
            return word;
        };
        let face = self.face(inst);
        Word {
            label: format!("{letter} {}{}", face.name, price(&face.order)),
            help: idle_or(idle, || text::ability(&face.order)),
            ..word
        }
    }

    fn skill_words(&self, seat: Seat, number: u8, skill: u8, idle: bool, asks: &'static str) -> Vec<Word> {
        let mut words = vec![
            Word::new(asks, "skill").with_help("of a warrior"),
            self.warrior_word("Whose skill?", seat, number),
        ];
        let ability =
            self.numbered(number)
                .and_then(|inst| match self.face(inst).skills.get(usize::from(skill)) {
                    Some(Skill::Action(ability)) => Some(ability),
                    _ => None,
                });
        let price = ability.map(price).unwrap_or_default();
        let help = idle_or(idle, || ability.map(text::ability).unwrap_or_default());
        match self.skill_letter(number, skill) {
            Some(letter) => words.push(
                Word::labelled(
                    "Which of its skills?",
                    letter.to_string(),
                    format!("{letter}{price}"),
                )
                .with_help(help),
            ),
            None => {
                if let Some(word) = words.last_mut() {
                    word.label.push_str(&price);
                    word.help = help;
                }
            }
        }
        words
    }

    fn pick_word(&self, seat: Seat, pick: Pick) -> Word {
        let text = pick_name(pick).replace(' ', "-");
        let card = match self.picked(pick) {
            Some(super::flow::Chosen::Card(inst)) => Some(inst),
            _ => None,
        };
        let asks = self.choice_question();
        let label = match (pick, card) {
            (Pick::Warrior(number), Some(_)) => return self.warrior_word(asks, seat, number),
            (_, Some(inst)) => {
                // Of another's hand only the face turned outward may be named.
                let own = self.piece(inst).owner == seat;
                let face = if own {
                    self.face(inst)
                } else {
                    self.open_face(inst)
                };
                format!("{}: {}", pick_name(pick), face.name)
            }
            (_, None) => pick_name(pick),
        };
        let whose = |owner: Seat| match owner == seat {
            true => "yours".to_owned(),
            false => format!("player {owner}'s"),
        };
        let help = match pick {
            Pick::Warrior(_) => "a warrior".to_owned(),
            Pick::Resource(owner, _)
            | Pick::Hand(owner, _)
            | Pick::Discard(owner, _)
            | Pick::DeckTop(owner) => whose(owner),
            Pick::Player(other) if other == seat => "you yourself".to_owned(),
            Pick::Player(_) => "another player".to_owned(),
        };
        Word::labelled(asks, text, label).with_help(help)
    }
}

/// What a choice asks.
pub const fn choice_question(choice: Option<&CardChoice>) -> &'static str {
    match choice {
        Some(CardChoice::Player { .. }) => "Which player do you choose?",
        Some(CardChoice::Cards { group, .. }) => match (group.zone, group.side) {
            (CardZone::Play, CardSide::Mine) => "Which of your warriors do you choose?",
            (CardZone::Play, CardSide::Opponents) => "Which enemy warrior do you choose?",
            (CardZone::Play, CardSide::Any) => "Which warrior do you choose?",
            (CardZone::Barracks, CardSide::Mine) => "Which of your resources do you choose?",
            (CardZone::Barracks, _) => "Which resource do you choose?",
            (CardZone::Hand, CardSide::Mine) => "Which of your hand cards do you choose?",
            (CardZone::Hand, _) => "Which hand card do you choose?",
            (CardZone::Discard, _) => "Which card of a discard pile do you choose?",
            (CardZone::DeckTop, _) => "Whose deck do you choose?",
        },
        None => "What do you choose?",
    }
}

/// What is asked before the cards are dealt.
const DECKS: &str =
    "Which deck do you bring? For one of your own say `deck use NAME`; nobody else will see it.";

impl Phase {
    fn deck_word(&self, bring: Bring) -> Word {
        let name = bring.name().unwrap_or_default();
        let help = match bring {
            Bring::Lot => "any of the ready decks".to_owned(),
            Bring::Ready(_) => match self.ready_deck(bring) {
                Some(ready) => ready.deck.faction().to_string(),
                None => "a ready deck".to_owned(),
            },
            Bring::Own(_) => "your own".to_owned(),
        };
        Word::new(DECKS, name).with_help(help)
    }
}

/// What an ability costs: " (lock 1, phase 2)".
fn price(ability: &Ability) -> String {
    let part = |cost: &Cost| match cost {
        Cost::Lock(count) => format!("lock {count}"),
        Cost::Phase(count) => format!("phase {count}"),
    };
    let parts: Vec<String> = ability.costs.iter().map(part).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

/// What an order or a skill does; nothing, if there is nothing to choose.
fn idle_or(idle: bool, does: impl FnOnce() -> String) -> String {
    if idle {
        "no effect: there is nothing to choose".to_owned()
    } else {
        does()
    }
}
