//! Guided entry: decisions that people make together are picked together.
//!
//! The rules ask for one small thing at a time; a player thinks "attack the Nexus with these two", "train Ted and phase
//! these". So what an order chooses and what is paid for it is spelt in one sentence, an attack is declared in one, and
//! defenders are sent in one. What would be too many is asked one by one, as the rules do.

use super::Phase;
use super::action::{Action, Target};
use super::flow::{Doing, Kind, Progress, Question, TurnStage};
use super::pile::Inst;
use super::sentence::joined;
use super::write::target_name;
use crate::game::{Game, GameRng, Seat, Silent, Way, Word};

/// More ways than this of going on behind one choice are asked one by one.
const MOST: usize = 40;
/// Of so many warriors every set is listed to attack.
const FEW: usize = 4;
/// More assignments of defenders than this, each with its endings, are made one by one.
const MOST_DEFENCES: usize = 40;

/// Which sets of warriors are offered to attack together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Offered<'a> {
    /// Those that fit into a list.
    Listed,
    /// What has been touched, in that order, and what can be touched next.
    Touched(&'a [&'a str]),
}

/// How a defence ends.
struct Ending {
    text: &'static str,
    /// Behind one defender, and behind all of them.
    alone: &'static str,
    label: &'static str,
    help: &'static str,
}

const PASSING: Ending = Ending {
    text: "pass",
    alone: "and nobody else, and pass in the fights",
    label: "and pass in the fights",
    help: "I ask you only if somebody acts",
};

const OPPOSING: Ending = Ending {
    text: "pass unopposed",
    alone: "and nobody else, and ask me only in my fights",
    label: "and ask me only in my fights",
    help: "I pass in the others",
};

const WATCHING: Ending = Ending {
    text: "done",
    alone: "and nobody else",
    label: "and ask me in all fights",
    help: "for orders and skills",
};

const AWAY: Ending = Ending {
    text: "pass whatever",
    alone: "and nobody else, and pass whatever happens",
    label: "and pass whatever happens",
    help: "I don't ask you in the fights at all",
};

impl Ending {
    fn word(&self) -> Word {
        let text = self.text.replace(' ', "-");
        Word::labelled("Do you want to act in the fights?", text, self.label).with_help(self.help)
    }
}

/// What has been picked on the way to a sentence.
#[derive(Clone, Default)]
struct Picked {
    words: Vec<Word>,
    said: Vec<String>,
    /// The part of a cost that was paid last, and with which resource.
    paid: Option<(u8, u8)>,
}

impl Phase {
    pub(super) fn picked_together(&self, seat: Seat, offered: Offered<'_>) -> Vec<Way> {
        let mut ways = Vec::new();
        let asked = self.ask.filter(|ask| ask.seat == seat).map(|ask| ask.what);
        let legal = self.legal_actions(seat);
        for action in &legal {
            match (asked, *action) {
                (Some(Question::Attack), Action::Attack | Action::Maneuver)
                | (Some(Question::Target), Action::Target(_)) => {}
                (Some(Question::Attackers), Action::Attacker(_)) => {}
                (Some(Question::Defenders), Action::Defend { .. }) => {}
                (Some(Question::Skirmish), Action::Skirmish(_)) => {
                    self.skirmish_ways(seat, *action, &mut ways);
                }
                (Some(Question::Defenders), Action::Pass | Action::PassWhatever | Action::PassUnopposed) => {}
                (Some(Question::Defenders), Action::Done) => self.undefended_ways(seat, &mut ways),
                (Some(Question::Action), Action::Pass) => self.pass_ways(seat, &mut ways),
                _ => self.follow_all(seat, *action, &mut ways),
            }
        }
        match asked {
            Some(Question::Attack | Question::Target) => self.attack_ways(seat, offered, &mut ways),
            Some(Question::Action) if self.stage == TurnStage::Maneuver && self.active == seat => {
                self.attack_ways(seat, offered, &mut ways);
            }
            Some(Question::Attackers) => self.attacker_ways(seat, offered, &mut ways),
            Some(Question::Defenders) => self.defender_ways(seat, &legal, &mut ways),
            _ => {}
        }
        ways
    }

    /// `attack nexus with 3 5`. What comes after the maneuvers says that there are none.
    fn attack_ways(&self, seat: Seat, offered: Offered<'_>, ways: &mut Vec<Way>) {
        let asks = self.question();
        let free: Vec<u8> = self
            .free_attackers()
            .map(|inst| self.piece(inst).number)
            .collect();
        let others = self
            .clockwise(seat)
            .filter(|&other| other != seat)
            .map(Target::Player);
        for target in std::iter::once(Target::Nexus).chain(others) {
            let name = target_name(target);
            let (label, help) = match target {
                Target::Nexus => ("attack the Nexus".to_owned(), "gain influence"),
                Target::Player(other) => (format!("attack player {other}"), "they lose influence"),
            };
            let whom = Word::labelled(asks, name.replace(' ', "-"), label).with_help(help);
            for numbers in offered.sets(&free) {
                let said = joined_numbers(&numbers, " ");
                ways.push(Way {
                    words: vec![whom.clone(), self.attackers_word(&numbers).after("with")],
                    sentence: format!("attack {name} with {said}"),
                });
            }
            if free.len() > 1 {
                ways.push(Way {
                    words: vec![whom, one_by_one()],
                    sentence: format!("attack {name}"),
                });
            }
        }
        if self.ask.is_some_and(|ask| ask.what == Question::Attack) {
            let first = Word::labelled(asks, "maneuver", "maneuver first");
            let action = if self.runs_through() {
                Action::Maneuver
            } else {
                Action::Attack
            };
            ways.push(Way {
                words: vec![first.with_help("orders and skills before you declare the attack")],
                sentence: self.write(action),
            });
        }
    }

    fn attacker_ways(&self, seat: Seat, offered: Offered<'_>, ways: &mut Vec<Way>) {
        let free: Vec<u8> = self
            .free_attackers()
            .map(|inst| self.piece(inst).number)
            .collect();
        for numbers in offered.sets(&free) {
            ways.push(Way {
                words: vec![self.attackers_word(&numbers)],
                // A list of attackers that ends itself.
                sentence: joined_numbers(&numbers, " "),
            });
        }
        if free.len() > 1 {
            for &number in &free {
                let mut word = self.warrior_word("Who attacks?", seat, number);
                word = word.touching([number.to_string()]);
                word.text = format!("with-{number}");
                word.label = format!("{} and more", word.label);
                ways.push(Way {
                    words: vec![word],
                    sentence: format!("with {number}"),
                });
            }
        }
    }

    /// "3 Gladiator, 5 Scout", with what they strike for.
    fn attackers_word(&self, numbers: &[u8]) -> Word {
        let warriors: Vec<Inst> = numbers
            .iter()
            .filter_map(|&number| self.numbered(number))
            .collect();
        let name = |inst: &Inst| format!("{} {}", self.piece(*inst).number, self.face(*inst).name);
        let names: Vec<String> = warriors.iter().map(name).collect();
        let attack: i16 = warriors.iter().map(|&inst| self.attack_of(inst).max(0)).sum();
        Word::labelled("Who attacks?", joined_numbers(numbers, "+"), names.join(", "))
            .with_help(format!("attack {attack} in all"))
            .touching(numbers.iter().map(u8::to_string))
    }

    /// Whole assignments, if they are few; otherwise one defender after the other.
    fn defender_ways(&self, seat: Seat, legal: &[Action], ways: &mut Vec<Way>) {
        let mut all = Vec::new();
        if self.defences(seat, legal, &Picked::default(), &mut all) {
            ways.append(&mut all);
            return;
        }
        for action in legal {
            let mut picked = Picked::default();
            if !matches!(action, Action::Defend { .. }) || !self.note_defence(seat, *action, &mut picked) {
                continue;
            }
            let after = self.tried(seat, *action);
            let asks = "Is that all?";
            for ending in after.defence_endings(seat) {
                let mut alone = picked.clone();
                let text = ending.text.replace(' ', "-");
                alone
                    .words
                    .push(Word::labelled(asks, text, ending.alone).with_help(ending.help));
                alone.said.push(ending.text.to_owned());
                ways.push(alone.way());
            }
            let more = Word::labelled(asks, "more", "and more").with_help("I ask you for the next one");
            picked.words.push(more);
            ways.push(picked.way());
        }
    }

    /// Nobody defends, or nobody else.
    fn undefended_ways(&self, seat: Seat, ways: &mut Vec<Way>) {
        let endings = self.defence_endings(seat);
        if endings.len() == 1 {
            self.follow_all(seat, Action::Done, ways);
            return;
        }
        let nobody = Word::labelled(self.question(), "nobody", "no more defenders")
            .with_help("now the skirmishes are fought");
        for ending in endings {
            ways.push(Way {
                words: vec![nobody.clone(), ending.word()],
                sentence: ending.text.to_owned(),
            });
        }
    }

    /// How a defence can end: with passes in the fights, or without; nothing is said where it ends itself.
    fn defence_endings(&self, seat: Seat) -> &'static [Ending] {
        if !self.asks(seat, Question::Defenders) {
            &[]
        } else if self.is_legal(seat, &Action::PassUnopposed) {
            &[PASSING, OPPOSING, WATCHING, AWAY]
        } else if self.is_legal(seat, &Action::Pass) {
            &[PASSING, WATCHING, AWAY]
        } else {
            &[WATCHING]
        }
    }

    /// All assignments that go on from here, each warrior once. Whether they are few.
    fn defences(&self, seat: Seat, legal: &[Action], picked: &Picked, out: &mut Vec<Way>) -> bool {
        for (place, action) in legal.iter().enumerate() {
            let Action::Defend { .. } = action else {
                continue;
            };
            let mut picked = picked.clone();
            let (goes_on, after) = (
                self.note_defence(seat, *action, &mut picked),
                self.tried(seat, *action),
            );
            let endings = after.defence_endings(seat);
            for ending in endings {
                let mut alone = picked.clone();
                alone.said.push(ending.text.to_owned());
                if endings.len() > 1 {
                    alone.words.push(ending.word());
                }
                out.push(alone.way());
            }
            if endings.is_empty() {
                out.push(picked.clone().way());
            }
            // Whoever defends is sent once, so what is still open lies behind this one.
            let later = legal.get(place + 1..).unwrap_or_default().iter();
            let later: Vec<Action> = later
                .filter(|later| after.is_legal(seat, later))
                .copied()
                .collect();
            if out.len() > MOST_DEFENCES || goes_on && !after.defences(seat, &later, &picked, out) {
                return false;
            }
        }
        true
    }

    /// Adds one defender. Whether more can be sent.
    fn note_defence(&self, seat: Seat, action: Action, picked: &mut Picked) -> bool {
        let Action::Defend { attacker, defender } = action else {
            return false;
        };
        let own = self.warrior_word("Who defends against whom?", seat, defender);
        let enemy = self.warrior_word("", seat, attacker);
        let text = format!("{defender}-{attacker}");
        let label = format!("{} against {}", own.label, enemy.label);
        let pair = own.clone().touching([defender.to_string(), attacker.to_string()]);
        match picked.words.last_mut() {
            Some(word) => {
                word.touch_too(&pair);
                word.text = format!("{}+{text}", word.text);
                word.label = format!("{}, {label}", word.label);
                word.help = "one after the other".to_owned();
            }
            None => picked.words.push(Word {
                text,
                label,
                help: format!("{} against {}", own.help, enemy.help),
                ..pair
            }),
        }
        picked.said.push(self.write(action));
        self.tried(seat, action).asks(seat, Question::Defenders)
    }

    /// A skirmish, and whether its player means to act in it.
    fn skirmish_ways(&self, seat: Seat, action: Action, ways: &mut Vec<Way>) {
        let words: Vec<Word> = self.words(seat, action).remove(0).split_off(1);
        let sentence = self.write(action);
        if !self.tried(seat, action).asks(seat, Question::Action) {
            ways.push(Way { words, sentence });
            return;
        }
        let asks = "Do you want to act in it?";
        let pass =
            Word::labelled(asks, "pass", "and pass till the turn ends").with_help("unless somebody acts");
        let act = Word::labelled(asks, "act", "and ask me for actions").with_help("orders and skills in it");
        for (word, sentence) in [(pass, format!("{sentence}; pass turn")), (act, sentence)] {
            ways.push(Way {
                words: [&words[..], &[word]].concat(),
                sentence,
            });
        }
    }

    fn pass_ways(&self, seat: Seat, ways: &mut Vec<Way>) {
        ways.push(Way {
            words: self.words(seat, Action::Pass).remove(0),
            sentence: self.write(Action::Pass),
        });
        // Whose turn it is and who has no more than this to pass needs nothing else.
        let more = !self.runs_through() && self.open_skirmishes() > 1;
        if seat != self.active && self.stage != TurnStage::Closing
            || self.stage == TurnStage::Skirmish && more
        {
            let word = Word::labelled(self.question(), "pass-turn", "pass till the turn ends");
            ways.push(Way {
                words: vec![word.with_help("unless somebody acts")],
                sentence: "pass turn".to_owned(),
            });
        }
    }

    /// An action with all that it asks for, if that is not too much.
    fn follow_all(&self, seat: Seat, action: Action, ways: &mut Vec<Way>) {
        let mut found = Vec::new();
        if self.follow(seat, action, Picked::default(), &mut found) && !found.is_empty() {
            ways.append(&mut found);
        } else {
            ways.push(Way {
                words: self.object_words(seat, action),
                sentence: self.write(action),
            });
        }
    }

    /// An action and what can be chosen and paid for it. Whether it is little enough.
    fn follow(&self, seat: Seat, action: Action, mut picked: Picked, out: &mut Vec<Way>) -> bool {
        self.note(seat, action, &mut picked);
        let after = self.tried(seat, action);
        if !after.goes_on_from(self, seat) {
            out.push(picked.way());
            return out.len() <= MOST;
        }
        for next in after.legal_actions(seat) {
            // What is paid together is named in one order only.
            let again = match (next, picked.paid) {
                (Action::Pay(place), Some((part, last))) => after.part_paid() == Some(part) && place < last,
                _ => false,
            };
            if !again && !after.follow(seat, next, picked.clone(), out) {
                return false;
            }
        }
        true
    }

    /// Adds the words of one action. What is paid for one part of a cost is one word.
    fn note(&self, seat: Seat, action: Action, picked: &mut Picked) {
        picked.said.push(self.write(action));
        let mut words = self.object_words(seat, action);
        let part = self.part_paid();
        match (action, words.first_mut()) {
            (Action::Pay(place), Some(word)) => {
                let before = picked.paid.replace((part.unwrap_or_default(), place));
                match picked.words.last_mut() {
                    Some(paid) if before.map(|(part, _)| part) == part => {
                        paid.touch_too(word);
                        paid.text = format!("{}+{}", paid.text, word.text);
                        paid.label = format!("{}, {}", paid.label, word.label);
                        paid.help = "paid together".to_owned();
                        return;
                    }
                    Some(_) => *word = word.clone().after("paying"),
                    None => {}
                }
            }
            (Action::Choose(_), Some(word)) if !picked.words.is_empty() => *word = word.clone().after("on"),
            _ => {}
        }
        picked.words.append(&mut words);
    }

    /// The words of an action, without the verb where the question has said it.
    fn object_words(&self, seat: Seat, action: Action) -> Vec<Word> {
        let mut words = self.words(seat, action).remove(0);
        let answers = matches!(
            action,
            Action::Choose(_) | Action::Pay(_) | Action::Discard(_) | Action::Enlist(_) | Action::Deck(_)
        );
        if answers && words.len() > 1 {
            words.remove(0);
        }
        words
    }

    /// The part of a cost that is to be paid now.
    fn part_paid(&self) -> Option<u8> {
        match self.doing.as_ref()?.at {
            Progress::Pay { part, .. } => Some(part),
            Progress::Choose { .. } | Progress::Run(_) => None,
        }
    }

    /// Whether something that was begun before still asks this player what to choose or how to pay. What comes of it is
    /// not looked at: it may depend on what nobody has seen.
    fn goes_on_from(&self, before: &Self, seat: Seat) -> bool {
        let asked = [Question::Choose, Question::Pay];
        let Some(doing) = self
            .doing
            .as_ref()
            .filter(|_| asked.iter().any(|what| self.asks(seat, *what)))
        else {
            return false;
        };
        let same = |old: &Doing| old.card == doing.card && old.kind == doing.kind;
        match &before.doing {
            Some(old) => same(old) && !matches!(old.at, Progress::Run(_)),
            None => !matches!(doing.kind, Kind::Trigger(_)),
        }
    }

    pub(super) fn asks(&self, seat: Seat, what: Question) -> bool {
        self.ask.is_some_and(|ask| ask.seat == seat && ask.what == what)
    }

    /// The position after an action, as far as it is asked for here: chance has no say in that.
    pub(super) fn tried(&self, seat: Seat, action: Action) -> Self {
        let mut after = self.clone();
        after.play(seat, &action, &mut GameRng::quick(0), &mut Silent);
        after
    }
}

impl Picked {
    fn way(self) -> Way {
        Way {
            sentence: joined(&self.said),
            words: self.words,
        }
    }
}

fn one_by_one() -> Word {
    Word::labelled("Who attacks?", "some", "one after the other")
        .with_help("the fights come in the order in which you name them")
}

fn joined_numbers(numbers: &[u8], between: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    numbers.join(between)
}

impl Offered<'_> {
    /// The sets of warriors that are offered to attack together, large ones first.
    fn sets(self, free: &[u8]) -> Vec<Vec<u8>> {
        let mut sets = match self {
            Self::Listed => listed(free),
            Self::Touched(spots) => touched(free, spots),
        };
        sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
        sets
    }
}

/// Each set in the order of its numbers: whoever wants the fights in another order names one warrior after the other. All sets
/// there are if the warriors are few; otherwise all of them, all but one, and each alone.
fn listed(free: &[u8]) -> Vec<Vec<u8>> {
    let without = |left_out: usize| -> Vec<u8> {
        let kept = free.iter().enumerate().filter(|(place, _)| *place != left_out);
        kept.map(|(_, number)| *number).collect()
    };
    if free.len() <= FEW {
        let kept = |mask: usize| {
            let kept = free
                .iter()
                .enumerate()
                .filter(|(place, _)| mask >> place & 1 == 1);
            kept.map(|(_, number)| *number).collect()
        };
        (1..1 << free.len()).map(kept).collect()
    } else {
        let all_but_one = (0..free.len()).map(without);
        let alone = free.iter().map(|number| vec![*number]);
        std::iter::once(free.to_vec())
            .chain(all_but_one)
            .chain(alone)
            .collect()
    }
}

/// Those that are touched, in that order, which is the order of the fights; those with one more; and all.
fn touched(free: &[u8], spots: &[&str]) -> Vec<Vec<u8>> {
    let mut first: Vec<u8> = Vec::new();
    for spot in spots {
        let meant = free.iter().find(|number| number.to_string() == *spot);
        first.extend(meant.filter(|number| !first.contains(number)));
    }
    let left: Vec<u8> = free
        .iter()
        .copied()
        .filter(|number| !first.contains(number))
        .collect();
    let mut sets: Vec<Vec<u8>> = left.iter().map(|one| [&first[..], &[*one]].concat()).collect();
    if !first.is_empty() {
        sets.push(first.clone());
    }
    // With one left, one more are all.
    if left.len() > 1 {
        sets.push([first, left].concat());
    }
    sets
}
