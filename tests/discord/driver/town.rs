//! A server with a channel, the bot in it, and whoever is invited.

use serde_json::json;
use tempfile::TempDir;

use super::people::{Asked, User};
use super::places::Place;
use super::program::Program;
use crate::standin::faults::{Gate, Trouble};
use crate::standin::model::{Id, Member, Overwrite};
use crate::standin::rest::Call;
use crate::standin::{Shared, Standin, permissions};

pub const TOKEN: &str = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.this-is-the-secret-token-of-the-test";

/// Refusals that belong to life with people and servers; all others are the bot's fault unless a test says so.
const FACTS_OF_LIFE: &[i64] = &[10003, 10008, 50001, 50007, 50013, 50083];

/// The most requests of a kind for which Discord bans bots that any one scenario gives cause to.
const MOST_INVALID: usize = 12;

#[derive(Debug)]
pub struct Town {
    pub standin: Standin,
    pub guild: Id,
    /// Where people meet.
    pub square: Place,
    pub program: Option<Program>,
    folder: TempDir,
    expected: Vec<i64>,
    /// Whom earlier programs reached past the stand-in.
    past: Vec<String>,
    /// What earlier programs wrote.
    written: Vec<String>,
}

impl Town {
    /// A town whose bot has not come yet.
    pub fn asleep() -> Self {
        let standin = Standin::open(TOKEN);
        let (guild, square) = standin.shared.with(|model| {
            let guild = model.add_guild("Town", permissions::INVITED);
            (guild, model.add_channel(guild, "square"))
        });
        Self {
            square: Place::new(standin.shared.clone(), square),
            standin,
            guild,
            program: None,
            folder: tempfile::tempdir().unwrap(),
            expected: FACTS_OF_LIFE.to_vec(),
            past: Vec::new(),
            written: Vec::new(),
        }
    }

    /// A town with the bot up and ready.
    pub fn awake() -> Self {
        let mut town = Self::asleep();
        town.start();
        town
    }

    pub fn shared(&self) -> &Shared {
        &self.standin.shared
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Starts the program, and waits until it listens and its commands are known.
    pub fn start(&mut self) {
        self.start_with(&[]);
    }

    /// The same with more settings.
    pub fn start_with(&mut self, settings: &[(&str, &str)]) {
        let before = self.shared().with(|model| model.sessions.identifies);
        self.launch(settings);
        self.shared().wait("the bot to come", |model| {
            let here = model.sessions.identifies > before && model.sessions.is_connected();
            (here && !model.commands.is_empty()).then_some(())
        });
    }

    /// Starts the program without waiting for anything.
    pub fn launch(&mut self, settings: &[(&str, &str)]) {
        if let Some(mut before) = self.program.take() {
            self.past.extend(before.strangers());
            self.written.extend(before.lines());
        }
        self.program = Some(Program::start(&self.standin, self.folder.path(), settings));
    }

    pub fn program(&mut self) -> &mut Program {
        self.program.as_mut().expect("the program was started")
    }

    /// The program dies, whatever it was doing.
    pub fn kill(&mut self) {
        self.program().kill();
        self.shared().wait("the line to go dead", |model| {
            (!model.sessions.is_connected()).then_some(())
        });
    }

    /// Refusals with these codes are what the test is about.
    pub fn expect_refusals(&mut self, codes: &[i64]) {
        self.expected.extend(codes);
    }

    /// Holds up the next so many requests that fit, until the gate is opened.
    pub fn hold(
        &self,
        times: usize,
        trouble: fn(Gate) -> Trouble,
        fits: impl Fn(&Call) -> bool + Send + Sync + 'static,
    ) -> Gate {
        let gate = Gate::shut();
        let trouble = trouble(gate.clone());
        self.shared().with(|model| model.faults.add(times, trouble, fits));
        gate
    }

    /// Somebody moves to town.
    pub fn user(&self, name: &str) -> User {
        self.user_called(&name.to_lowercase(), Some(name), None)
    }

    pub fn user_called(&self, username: &str, global_name: Option<&str>, nick: Option<&str>) -> User {
        let id = self.shared().with(|model| {
            let id = model.add_user(username, global_name);
            let member = Member {
                nick: nick.map(str::to_owned),
                roles: Vec::new(),
            };
            model.guilds.entry(self.guild).and_modify(|guild| {
                guild.members.insert(id, member);
            });
            id
        });
        User::new(self.shared().clone(), id, self.square.id)
    }

    /// The one who may do everything in the server.
    pub fn owner(&self) -> User {
        let id = self.shared().with(|model| model.guilds[&self.guild].owner);
        User::new(self.shared().clone(), id, self.square.id)
    }

    /// Another channel of the server.
    pub fn channel(&self, name: &str) -> Place {
        let id = self.shared().with(|model| model.add_channel(self.guild, name));
        Place::new(self.shared().clone(), id)
    }

    /// Tells the bot of something that was asked once more, as may happen when a session is resumed.
    pub fn repeat(&self, asked: &Asked) {
        self.shared().with(|model| {
            let told = model.interactions[&asked.id].told.clone();
            model
                .sessions
                .dispatch(Some(self.guild), "INTERACTION_CREATE", &told);
        });
    }

    /// Takes permissions from the bot in a channel, and gives back all others.
    pub fn deny(&self, place: &Place, permissions: u64) {
        let bot = self.shared().with(|model| model.bot);
        place.change(|channel| {
            channel.overwrites = vec![Overwrite {
                id: bot,
                allow: 0,
                deny: permissions,
            }];
        });
    }

    /// Gives somebody a role with these permissions.
    pub fn grant(&self, user: &User, permissions: u64) {
        self.shared().with(|model| {
            let role = model.new_id();
            if let Some(guild) = model.guilds.get_mut(&self.guild) {
                guild.roles.insert(role, permissions);
                if let Some(member) = guild.members.get_mut(&user.id) {
                    member.roles.push(role);
                }
            }
        });
    }

    /// Somebody leaves the server.
    pub fn leave(&self, user: &User) {
        self.shared().with(|model| {
            if let Some(guild) = model.guilds.get_mut(&self.guild) {
                guild.members.remove(&user.id);
            }
        });
    }

    /// The bot is thrown out; what it was there.
    pub fn kick(&self) -> Member {
        self.shared().with(|model| {
            let bot = model.bot;
            let member = model
                .guilds
                .get_mut(&self.guild)
                .and_then(|guild| guild.members.remove(&bot));
            let gone = json!({ "id": self.guild.to_string() });
            model.sessions.dispatch(Some(self.guild), "GUILD_DELETE", &gone);
            member.expect("the bot was there")
        })
    }

    /// The bot is let in again.
    pub fn invite(&self, member: Member) {
        self.shared().with(|model| {
            let bot = model.bot;
            if let Some(guild) = model.guilds.get_mut(&self.guild) {
                guild.members.insert(bot, member);
            }
            let shown = model.guild_json(&model.guilds[&self.guild]);
            model.sessions.dispatch(Some(self.guild), "GUILD_CREATE", &shown);
        });
    }

    /// Every line that the program wrote, in all its lives.
    pub fn traces(&self) -> Vec<String> {
        let now = self.program.iter().flat_map(Program::lines);
        self.written.iter().cloned().chain(now).collect()
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        let strangers: Vec<String> = self.program.iter_mut().flat_map(Program::strangers).collect();
        self.past.extend(strangers);
        if let Some(program) = &mut self.program
            && !program.has_ended()
        {
            program.kill();
        }
        let problems = self.standin.problems(&self.expected);
        let panicked = self
            .traces()
            .into_iter()
            .filter(|line| line.contains("panicked at"));
        let panicked: Vec<String> = panicked.collect();
        let token = self
            .traces()
            .into_iter()
            .filter(|line| line.contains(TOKEN))
            .count();
        if std::thread::panicking() {
            eprintln!("problems, beside the panic: {problems:#?}");
            return;
        }
        let journal = self.shared().with(|model| model.journal.join("\n"));
        assert!(problems.is_empty(), "{problems:#?}\n{journal}");
        assert!(self.past.is_empty(), "reached past the stand-in: {:?}", self.past);
        let invalid = self.shared().with(|model| model.invalid_requests);
        assert!(
            invalid <= MOST_INVALID,
            "{invalid} invalid requests: Discord bans for many\n{journal}"
        );
        assert!(panicked.is_empty(), "{panicked:#?}");
        assert_eq!(token, 0, "the token stands in the log");
    }
}
