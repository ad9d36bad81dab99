//! Rate limits, counted on the stand-in's clock.

use std::collections::HashMap;
use std::time::Duration;

use super::rest::Call;

/// How many requests a bucket takes in a window. None is counted until a test asks for it.
#[derive(Debug, Default)]
pub struct RateLimits {
    rule: Option<Rule>,
    buckets: HashMap<String, Window>,
    /// How many requests were refused.
    pub refused: usize,
}

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
}

impl RateLimits {
    /// From now on every channel takes this many messages in a window.
    pub fn limit_channels(&mut self, limit: u32, window: Duration) {
        self.rule = Some(Rule { limit, window });
    }

    /// Counts a request, if its route has a limit.
    pub fn count(&mut self, call: &Call, now: Duration) -> Option<Standing> {
        let rule = self.rule?;
        let bucket = match call.path()[..] {
            ["channels", channel, "messages", ..] => format!("{}-{channel}", call.method),
            _ => return None,
        };
        let window = self.buckets.entry(bucket.clone()).or_insert(Window {
            ends: now + rule.window,
            used: 0,
        });
        if now >= window.ends {
            *window = Window {
                ends: now + rule.window,
                used: 0,
            };
        }
        let exceeded = window.used >= rule.limit;
        if exceeded {
            self.refused += 1;
        } else {
            window.used += 1;
        }
        Some(Standing {
            bucket,
            limit: rule.limit,
            remaining: rule.limit - window.used,
            reset_after: window.ends - now,
            exceeded,
        })
    }
}
