//! Tables: opening one, sitting down and getting up, and the rooms in which it is shown.

use super::{Caller, Service, TargetMatch};
use crate::ai::Level;
use crate::matches::change::{Change, Context};
use crate::matches::code::Code;
use crate::matches::delivery::HomeNews;
use crate::matches::gather::{self, Wishes};
use crate::matches::loaded::Loaded;
use crate::matches::lock::Guard;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::state::{MOST_MATCHES, Match, Stage};
use crate::matches::{consent, home};

impl Service {
    /// Opens a table in a room.
    pub async fn open(&self, caller: &Caller, room: &RoomId, wishes: &Wishes) -> Result<Loaded, Failure> {
        let mut held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_fresh(caller)?;
        self.check_limit(&caller.player, None)?;
        let (code, guard) = self.free_code().await?;
        held.push(guard);
        let people = self.people(std::iter::once(&caller.player).chain(&wishes.challenged))?;
        let change = gather::open(&caller.player, room.clone(), wishes, code, &self.context(&people))?;
        let (opened, _) = self.write(held, None, change, Some(caller)).await?;
        Ok(opened.after)
    }

    /// Takes a seat; `room` becomes a home room of the match. Whoever sits at it already brings it to `room`.
    pub async fn join(
        &self,
        caller: &Caller,
        target: TargetMatch,
        room: Option<&RoomId>,
    ) -> Result<Loaded, Failure> {
        let held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_limit(&caller.player, Some(&target.found.code))?;
        let changed = self.change_holding(held, caller, target, |the_match, context| {
            match (&the_match.stage, room) {
                (Stage::Running(_), Some(room)) => home::bring(the_match, &caller.player, room, context),
                _ => gather::join(the_match, &caller.player, room, context),
            }
        });
        Ok(changed.await?.after)
    }

    /// Lets bots take every free seat.
    pub async fn fill(&self, caller: &Caller, target: TargetMatch, level: Level) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            gather::fill(the_match, &caller.player, level, context)
        });
        Ok(changed.await?.after)
    }

    pub async fn decline(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let TargetMatch { found, version } = target;
        let changed = self.change(caller, found.into(), |the_match, context| {
            match &the_match.stage {
                Stage::Running(_) => consent::turn_down(the_match, &caller.player, version, context),
                Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => {
                    gather::decline(the_match, &caller.player, context)
                }
            }
        });
        Ok(changed.await?.after)
    }

    pub async fn cancel(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, _| {
            gather::cancel(the_match, &caller.player)
        });
        Ok(changed.await?.after)
    }

    /// Takes a room that is gone, or in which we may not speak, from the homes of a match.
    pub async fn lose_room(&self, code: &Code, room: &RoomId) -> Result<(), Failure> {
        self.rehome(code, |the_match, context| home::lose(the_match, room, context))
            .await
    }

    /// The same for every match that is shown there.
    pub async fn room_lost(&self, room: &RoomId) -> Result<(), Failure> {
        for code in self.repository().alive_in(room)? {
            self.lose_room(&code, room).await?;
        }
        Ok(())
    }

    /// Shows the matches that were lost with a room there again.
    pub async fn room_returned(&self, room: &RoomId) -> Result<(), Failure> {
        self.show_in(room, HomeNews::Back, |the_match| {
            the_match.lost_rooms.contains(room)
        })
        .await
    }

    /// The same for one match, if it was lost with the room.
    pub async fn room_works(&self, code: &Code, room: &RoomId) -> Result<(), Failure> {
        let found = self.repository().find(code)?;
        if found.is_some_and(|found| found.lost_rooms.contains(room)) {
            self.rehome(code, |the_match, context| {
                home::come_back(the_match, room, HomeNews::Back, context)
            })
            .await?;
        }
        Ok(())
    }

    /// Shows all matches of a room in the one that has replaced it, which goes by the same name here.
    pub async fn room_moved(&self, room: &RoomId) -> Result<(), Failure> {
        self.show_in(room, HomeNews::Moved, |_| true).await
    }

    async fn show_in(
        &self,
        room: &RoomId,
        news: HomeNews,
        wanted: impl Fn(&Match) -> bool,
    ) -> Result<(), Failure> {
        for code in self.repository().alive_in(room)? {
            let news = news.clone();
            self.rehome(&code, |the_match, context| {
                if wanted(the_match) {
                    home::come_back(the_match, room, news, context)
                } else {
                    Ok(None)
                }
            })
            .await?;
        }
        Ok(())
    }

    /// A player has left a room of a match and is in no other.
    pub async fn player_left(&self, code: &Code, player: &PlayerId, room: &RoomId) -> Result<(), Failure> {
        self.rehome(code, |the_match, context| {
            home::leave(the_match, player, room, context)
        })
        .await
    }

    /// Changes where a match is shown, if there is anything to change.
    async fn rehome(
        &self,
        code: &Code,
        decide: impl FnOnce(&Loaded, &Context<'_>) -> Result<Option<Change>, Failure>,
    ) -> Result<(), Failure> {
        let held = vec![self.matches.lock(code.as_str()).await];
        let Some(the_match) = self.repository().find(code)? else {
            return Ok(());
        };
        let the_match = Loaded::from(the_match);
        let people = self.people(the_match.people())?;
        if let Some(change) = decide(&the_match, &self.context(&people))? {
            self.write(held, Some(&the_match), change, None).await?;
        }
        Ok(())
    }

    /// Whether a player may sit down at one more table. Invitations don't count: anybody can send them.
    pub(super) fn check_limit(&self, player: &PlayerId, except: Option<&Code>) -> Result<(), Failure> {
        let mut seated = 0;
        for code in self.repository().alive_of(player)? {
            let sits = |the_match: Match| the_match.is_alive() && the_match.seats(player);
            if Some(&code) != except && self.repository().find(&code)?.is_some_and(sits) {
                seated += 1;
            }
        }
        if seated >= MOST_MATCHES {
            return Err(Refusal::TooManyMatches { most: MOST_MATCHES }.into());
        }
        Ok(())
    }

    /// A code that no match has or ever had, with its lock: two tables that are opened at once must not
    /// both find it free.
    pub(super) async fn free_code(&self) -> Result<(Code, Guard), Fault> {
        for attempt in 0..64 {
            let code = Code::random(self.entropy.as_ref(), 4 + attempt / 8)?;
            let guard = self.matches.lock(code.as_str()).await;
            if !self.repository().is_used(&code)? {
                return Ok((code, guard));
            }
        }
        Err(Fault::new("looking for a free table code", "none was found"))
    }
}
