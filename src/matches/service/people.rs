//! Players: what they are called, what they have chosen, and the lists that they build.

use std::collections::BTreeMap;

use super::{Service, Wakes};
use crate::matches::bot::Bot;
use crate::matches::lists::{ListRefusal, Lists};
use crate::matches::people::{Person, PlayerId, PlayerSettings};
use crate::matches::port::{Batch, Fault};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::repository;

impl Service {
    pub fn person(&self, player: &PlayerId) -> Result<Person, Fault> {
        if let Some(bot) = Bot::of(player) {
            return Ok(bot.person());
        }
        let name = player.parts().1;
        Ok(self
            .repository()
            .person(player)?
            .unwrap_or_else(|| Person::called(name)))
    }

    pub(in crate::matches) fn people<'p>(
        &self,
        players: impl IntoIterator<Item = &'p PlayerId>,
    ) -> Result<BTreeMap<PlayerId, Person>, Fault> {
        players
            .into_iter()
            .map(|player| Ok((player.clone(), self.person(player)?)))
            .collect()
    }

    /// Notes what a player is called now.
    pub async fn meet(&self, player: &PlayerId, name: &str) -> Result<(), Fault> {
        let called = Person::called(name).name;
        let known = self.repository().person(player)?;
        if called.is_empty() || known.is_some_and(|person| person.name == called) {
            return Ok(());
        }
        self.change_person(player, |person| person.name = called).await?;
        Ok(())
    }

    /// Changes a player's settings; returns them as they are then.
    pub async fn set(
        &self,
        player: &PlayerId,
        change: impl FnOnce(&mut PlayerSettings),
    ) -> Result<PlayerSettings, Fault> {
        let person = self
            .change_person(player, |person| change(&mut person.settings))
            .await?;
        Ok(person.settings)
    }

    async fn change_person(
        &self,
        player: &PlayerId,
        change: impl FnOnce(&mut Person),
    ) -> Result<Person, Fault> {
        let held = vec![self.players.lock(player.as_str()).await];
        let mut person = self.person(player)?;
        change(&mut person);
        let mut batch = Batch::new();
        repository::put_person(&mut batch, player, &person)?;
        self.commit(held, batch, Wakes::default()).await?;
        Ok(person)
    }

    /// The lists that a player has built for a game.
    pub fn lists(&self, player: &PlayerId, game: &str) -> Result<Lists, Fault> {
        self.repository().lists(player, game)
    }

    /// Changes a player's lists, unless the change is refused; returns what came of it and the lists as they are then.
    pub async fn change_lists<T>(
        &self,
        player: &PlayerId,
        game: &str,
        change: impl FnOnce(&mut Lists) -> Result<T, ListRefusal>,
    ) -> Result<(T, Lists), Failure> {
        let held = vec![self.players.lock(player.as_str()).await];
        let mut lists = self.lists(player, game)?;
        let done = change(&mut lists).map_err(Refusal::List)?;
        let mut batch = Batch::new();
        repository::put_lists(&mut batch, player, game, &lists)?;
        self.commit(held, batch, Wakes::default()).await?;
        Ok((done, lists))
    }
}
