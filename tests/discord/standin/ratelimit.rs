//! Rate limits, counted on the stand-in's clock.

use std::collections::HashMap;
use std::time::Duration;

use super::rest::Call;

/// How many requests a bucket takes in a window. None is counted until a test asks for it.
#[derive(Debug, Default)]
pub struct RateLimits {
    channels: Option<Rule>,
    talks: Option<Rule>,
    /// Everything but answers to interactions.
    all: Option<Rule>,
    buckets: HashMap<String, Window>,
    /// When somebody was last told that everything is too much, and until when it is.
    shut: Option<(Duration, Duration)>,
    /// How many requests were refused.
    pub refused: usize,
    /// How many came although everything was known to be too much: what was on its way when that was told is not counted.
    pub unheeded: usize,
    /// The most that came within a second, of those that count.
    pub busiest: usize,
    recent: Vec<Duration>,
}

/// What is still on its way for so long is forgiven.
const ON_THE_WAY: Duration = Duration::from_millis(250);
const SECOND: Duration = Duration::from_secs(1);
/// What Discord takes of a bot in a second.
const GLOBAL: u32 = 50;

#[derive(Clone, Copy, Debug)]
struct Rule {
    limit: u32,
    window: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    ends: Duration,
    used: u32,
}

/// Where a bucket stands, as the headers of the answer tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub bucket: String,
    pub limit: u32,
    pub remaining: u32,
    pub reset_after: Duration,
    /// Whether this request was one too many.
    pub exceeded: bool,
    /// Whether it was one too many of all.
    pub global: bool,
}

impl RateLimits {
    /// From now on every channel takes this many messages in a window.
    pub fn limit_channels(&mut self, limit: u32, window: Duration) {
        self.channels = Some(Rule { limit, window });
    }

    /// From now on so many private talks are opened in a window.
    pub fn limit_talks(&mut self, limit: u32, window: Duration) {
        self.talks = Some(Rule { limit, window });
    }

    /// Discord's own: five messages in five seconds a channel, ten private talks in ten seconds, fifty requests a second.
    pub fn limit_as_discord_does(&mut self) {
        self.limit_channels(5, Duration::from_secs(5));
        self.limit_talks(10, Duration::from_secs(10));
        self.limit_all(GLOBAL);
    }

    /// From now on so many requests are taken in a second, answers to interactions apart.
    pub fn limit_all(&mut self, limit: u32) {
        self.all = Some(Rule {
            limit,
            window: SECOND,
        });
    }

    /// Counts a request, if its route has a limit.
    pub fn count(&mut self, call: &Call, now: Duration) -> Option<Standing> {
        let path = call.path();
        if let (Some(rule), false) = (self.all, matches!(path[..], ["interactions" | "webhooks", ..])) {
            self.note(now);
            if let Some((told, until)) = self.shut
                && now > told + ON_THE_WAY
                && now < until
            {
                self.unheeded += 1;
            }
            let standing = self.take("all".to_owned(), rule, now);
            if standing.exceeded {
                self.shut = Some((now, now + standing.reset_after));
                return Some(Standing {
                    global: true,
                    ..standing
                });
            }
        }
        let (bucket, rule) = match path[..] {
            ["channels", channel, "messages", ..] => (format!("{}-{channel}", call.method), self.channels),
            ["users", "@me", "channels"] => ("talks".to_owned(), self.talks),
            _ => return None,
        };
        Some(self.take(bucket, rule?, now))
    }

    /// Notes how many came within a second.
    fn note(&mut self, now: Duration) {
        self.recent.retain(|at| *at + SECOND > now);
        self.recent.push(now);
        self.busiest = self.busiest.max(self.recent.len());
    }

    fn take(&mut self, bucket: String, rule: Rule, now: Duration) -> Standing {
        let fresh = Window {
            ends: now + rule.window,
            used: 0,
        };
        let window = self.buckets.entry(bucket.clone()).or_insert(fresh);
        if now >= window.ends {
            *window = fresh;
        }
        let exceeded = window.used >= rule.limit;
        if exceeded {
            self.refused += 1;
        } else {
            window.used += 1;
        }
        Standing {
            bucket,
            limit: rule.limit,
            remaining: rule.limit - window.used,
            reset_after: window.ends - now,
            exceeded,
            global: false,
        }
    }
}
