//! The operator's choices: a TOML file, overridden by the environment.
//!
//! `config.example.toml` lists every key. Each can also be given as `PARLOR_SECTION_KEY`, such as
//! `PARLOR_DISCORD_TOKEN`. What is unknown or makes no sense is refused, with the line it stands in.

mod public_url;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::{Table, Value};

pub use self::public_url::PublicUrl;
use crate::files;
use crate::matches::retention::Retention;
use crate::matches::time::Span;

/// Everything that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub store: StoreConfig,
    pub local: LocalConfig,
    pub web: WebConfig,
    pub discord: DiscordConfig,
    pub matrix: MatrixConfig,
    pub operate: OperateConfig,
    pub log: LogConfig,
}

/// Where matches are kept, and how much of the rest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreConfig {
    pub path: PathBuf,
    /// How many of the last messages of each room and guest the local room keeps; the usual number if nothing is said.
    pub keep_messages: Option<NonZeroU32>,
    /// For how many days those are kept, and tables that were called off.
    pub keep_days: Option<NonZeroU32>,
    /// How many handled events are remembered.
    pub keep_events: Option<NonZeroU32>,
    /// How often the bot makes a backup by itself; never if nothing is said.
    pub backup_every: Option<Every>,
    /// How many of those backups are kept.
    pub backup_keep: NonZeroUsize,
    /// The folder for those backups; beside the store if nothing is said.
    pub backup_path: Option<PathBuf>,
}

impl StoreConfig {
    /// Where backups go.
    pub fn backup_folder(&self) -> PathBuf {
        self.backup_path.clone().unwrap_or_else(|| {
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push("-backups");
            self.path.with_file_name(name)
        })
    }

    /// Why the bot can't make backups by itself where it should, as far as that can be seen.
    pub fn backup_problem(&self) -> Option<String> {
        let folder = self.backup_folder();
        let shown = folder.display();
        (self.backup_every.is_some() && files::is_within(&folder, &self.path)).then(|| {
            format!("the backups' folder {shown} lies in the store's own, where nothing else may be; set backup_path in [store]")
        })
    }
}

/// A length of time after which something is done again, such as `30m`, `24h` or `7d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Every(pub Duration);

impl TryFrom<String> for Every {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const WANTED: &str = "expected minutes, hours or days, such as \"30m\", \"24h\" or \"7d\"";
        let text = text.trim();
        let units = [('m', 60), ('h', 3_600), ('d', 86_400)];
        let read = |(unit, seconds): (char, u64)| {
            let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            number.checked_mul(seconds).filter(|seconds| *seconds > 0)
        };
        let seconds = units.into_iter().find_map(read).ok_or(WANTED)?;
        Ok(Self(Duration::from_secs(seconds)))
    }
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            path: PathBuf::from("parlor-data"),
            keep_messages: None,
            keep_days: None,
            keep_events: None,
            backup_every: None,
            backup_keep: NonZeroUsize::MIN.saturating_add(6),
            backup_path: None,
        }
    }
}

impl StoreConfig {
    /// How long things are kept that nobody needs for ever.
    pub fn retention(&self) -> Retention {
        let usual = Retention::default();
        let number = |chosen: Option<NonZeroU32>| chosen.map(|chosen| chosen.get() as usize);
        Retention {
            messages: number(self.keep_messages).unwrap_or(usual.messages),
            age: self
                .keep_days
                .map_or(usual.age, |days| Span::days(days.get().into())),
            events: number(self.keep_events).unwrap_or(usual.events),
        }
    }
}

/// The room in the browser.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalConfig {
    /// Whether it is open; if nothing is said, it is open when nothing else is configured.
    pub enabled: Option<bool>,
    pub listen: SocketAddr,
}

impl Default for LocalConfig {
    fn default() -> Self {
        Self {
            enabled: None,
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8787),
        }
    }
}

/// Pages of matches, for whoever has a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebConfig {
    /// Where they are served; nowhere if nothing is said.
    pub listen: Option<SocketAddr>,
    /// Under which address browsers find them; where they are served if nothing is said.
    pub public_url: Option<PublicUrl>,
    /// The proxies that are believed when they tell for whom they ask.
    pub trusted_proxies: Vec<IpAddr>,
}

/// How to reach Discord.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiscordConfig {
    pub token: Option<Secret>,
    /// Needed only if Discord does not tell it.
    pub application_id: Option<Snowflake>,
    /// Where to connect instead of discord.com, and whose certificate is trusted there: both or neither.
    pub api_address: Option<String>,
    pub api_ca_file: Option<PathBuf>,
}

impl DiscordConfig {
    /// The address to connect to instead of discord.com, with the file of the certificate to trust.
    pub fn detour(&self) -> Option<(&str, &Path)> {
        Some((self.api_address.as_deref()?, self.api_ca_file.as_deref()?))
    }
}

/// An id of Discord's: a number other than zero, written with or without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub struct Snowflake(pub NonZeroU64);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, such as \"1234567890123456789\"")]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl TryFrom<NumberOrText> for Snowflake {
    type Error = &'static str;

    fn try_from(given: NumberOrText) -> Result<Self, Self::Error> {
        let number = match given {
            NumberOrText::Number(number) => Some(number),
            NumberOrText::Text(text) => text.trim().parse().ok(),
        };
        let id = number.and_then(NonZeroU64::new).map(Self);
        id.ok_or("expected a number, such as \"1234567890123456789\"")
    }
}

/// How to reach a Matrix homeserver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatrixConfig {
    pub homeserver: Option<String>,
    pub user: Option<String>,
    pub password: Option<Secret>,
    pub access_token: Option<Secret>,
    /// What the bot's device is called when it is made.
    pub device_name: Option<String>,
    /// Whose invitations are accepted: users, servers, or `*`. If nothing is said, those of the bot's own server.
    pub allow: Vec<String>,
    /// Opens what the homeserver keeps under lock for an account that has been used before.
    pub recovery_key: Option<Secret>,
}

impl MatrixConfig {
    /// Whether somebody wants the bot on Matrix, be it that they have forgotten to say where.
    pub const fn is_meant(&self) -> bool {
        self.homeserver.is_some()
            || self.user.is_some()
            || self.password.is_some()
            || self.access_token.is_some()
    }
}

/// For whoever looks after the bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OperateConfig {
    /// Where figures and health are told; nowhere if nothing is said.
    pub listen: Option<SocketAddr>,
}

/// What is logged, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    pub format: LogFormat,
    pub level: LogLevel,
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON object a line.
    Json,
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// What is worth a line of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    Error,
    #[default]
    Warn,
    Info,
    Debug,
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        })
    }
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for whoever has to send it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The same without blanks around it, behind something that is no secret.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Self {
        Self(format!("{prefix}{}", self.0.trim()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Why a configuration was refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("can't read the configuration {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{}, line {line}: {problem}", path.display())]
    File {
        path: PathBuf,
        line: usize,
        problem: String,
    },
    #[error(
        "[discord] api_address and api_ca_file go together: give both, to reach Discord by another way, or neither"
    )]
    HalfDetour,
    #[error("{name} in the environment: {problem}")]
    Environment { name: String, problem: String },
}

/// What every variable of ours begins with.
const PREFIX: &str = "PARLOR_";

/// The keys, by section.
const KEYS: [(&str, &str); 7] = [
    (
        "store",
        "path, keep_messages, keep_days, keep_events, backup_every, backup_keep, backup_path",
    ),
    ("local", "enabled, listen"),
    ("web", "listen, public_url, trusted_proxies"),
    ("discord", "token, application_id, api_address, api_ca_file"),
    (
        "matrix",
        "homeserver, user, password, access_token, device_name, allow, recovery_key",
    ),
    ("operate", "listen"),
    ("log", "format, level"),
];

impl Config {
    /// Reads the file that is named, or `config.toml` if it is there; then the environment.
    pub fn load(
        named: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let default = Path::new("config.toml");
        let path = named.unwrap_or(default);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if named.is_none() && cause.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(cause) => {
                return Err(ConfigError::Unreadable {
                    path: path.to_owned(),
                    cause,
                });
            }
        };
        Self::read(path, &text, environment)
    }

    fn read(
        path: &Path,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let in_file = |error: toml::de::Error| ConfigError::File {
            path: path.to_owned(),
            line: error
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(1, |before| before.matches('\n').count() + 1),
            problem: error.message().replace('\n', " "),
        };
        let mut config: Self = toml::from_str(text).map_err(in_file)?;
        let mut choices: Table = toml::from_str(text).map_err(in_file)?;
        for (name, value) in environment {
            let refuse = |problem: &str| ConfigError::Environment {
                name: name.clone(),
                problem: problem.replace('\n', " "),
            };
            let Some((section, key)) = section_and_key(&name).map_err(|problem| refuse(&problem))? else {
                continue;
            };
            let value = read_value(&key, value).map_err(refuse)?;
            let keys = choices.entry(section).or_insert_with(|| Table::new().into());
            if let Some(keys) = keys.as_table_mut() {
                keys.insert(key, value);
            }
            let chosen = choices.clone().try_into();
            config = chosen.map_err(|error| refuse(error.message()))?;
        }
        if config.discord.api_address.is_some() != config.discord.api_ca_file.is_some() {
            return Err(ConfigError::HalfDetour);
        }
        Ok(config)
    }

    /// Whether any chat platform is configured.
    pub fn has_platform(&self) -> bool {
        self.discord.token.is_some() || self.matrix.is_meant()
    }

    /// Whether the room in the browser is to be opened.
    pub fn opens_local(&self) -> bool {
        self.local.enabled.unwrap_or(!self.has_platform())
    }
}

/// The key that a variable of the environment stands for, if it is one of ours.
fn section_and_key(name: &str) -> Result<Option<(&'static str, String)>, String> {
    let name = name.strip_prefix(PREFIX).unwrap_or_default().to_ascii_lowercase();
    for (section, keys) in KEYS {
        if let Some(key) = name.strip_prefix(section).and_then(|rest| rest.strip_prefix('_')) {
            if keys.split(", ").all(|known| known != key) {
                return Err(format!("there is no such key; [{section}] has {keys}"));
            }
            return Ok(Some((section, key.to_owned())));
        }
    }
    Ok(None)
}

/// What a variable says, as the file would.
fn read_value(key: &str, text: String) -> Result<Value, &'static str> {
    match key {
        "enabled" => text
            .parse()
            .map(Value::Boolean)
            .map_err(|_| "it takes true or false"),
        "backup_keep" => text
            .parse()
            .map(Value::Integer)
            .map_err(|_| "it takes a number, such as 7"),
        "listen" if text.parse::<SocketAddr>().is_err() => {
            Err("it takes an address and a port, such as 127.0.0.1:8787")
        }
        "keep_messages" | "keep_days" | "keep_events" => text
            .parse()
            .map(Value::Integer)
            .map_err(|_| "it takes a number, such as 30"),
        "allow" | "trusted_proxies" => {
            let several = text.split([',', ' ']).filter(|one| !one.is_empty());
            Ok(several.map(Value::from).collect::<Vec<_>>().into())
        }
        _ => Ok(Value::String(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::read(Path::new("config.toml"), text, environment).map_err(|error| error.to_string())
    }

    #[test]
    fn an_empty_file_opens_the_local_room() {
        let config = read("", &[]).unwrap();
        assert!(config.opens_local());
        assert_eq!(config.local.listen.to_string(), "127.0.0.1:8787");
        assert_eq!(config.store.path, Path::new("parlor-data"));
    }

    #[test]
    fn backups_are_made_as_often_as_is_said() {
        let config = read("[store]\npath = \"/x/data\"\nbackup_every = \"24h\"", &[]).unwrap();
        assert_eq!(
            config.store.backup_every,
            Some(Every(Duration::from_secs(86_400)))
        );
        assert_eq!(config.store.backup_keep.get(), 7);
        assert_eq!(config.store.backup_folder(), Path::new("/x/data-backups"));
        let environment = [
            ("PARLOR_STORE_BACKUP_EVERY", "30m"),
            ("PARLOR_STORE_BACKUP_KEEP", "3"),
        ];
        let config = read("", &environment).unwrap();
        assert_eq!(config.store.backup_every, Some(Every(Duration::from_secs(1800))));
        assert_eq!(config.store.backup_keep.get(), 3);
        for wrong in ["24", "h", "0h", "-1d", "1 year"] {
            let error = read(&format!("[store]\nbackup_every = \"{wrong}\""), &[]).unwrap_err();
            assert!(error.contains("such as \"30m\""), "{error}");
        }
        assert!(read("[store]\nbackup_keep = 0", &[]).is_err());
    }

    #[test]
    fn a_platform_closes_the_local_room_unless_it_is_wanted() {
        assert!(!read("[discord]\ntoken = \"t\"", &[]).unwrap().opens_local());
        assert!(
            read("[discord]\ntoken = \"t\"\n[local]\nenabled = true", &[])
                .unwrap()
                .opens_local()
        );
    }

    #[test]
    fn the_environment_goes_before_the_file() {
        let environment = [
            ("PARLOR_STORE_PATH", "/x"),
            ("PARLOR_LOCAL_LISTEN", "127.0.0.1:1"),
            ("OTHER", "y"),
        ];
        let config = read("[store]\npath = \"/y\"", &environment).unwrap();
        assert_eq!(config.store.path, Path::new("/x"));
        assert_eq!(config.local.listen.port(), 1);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = read("[store]\npath = \"x\"\ncolour = 3", &[]).unwrap_err();
        assert!(
            error.starts_with("config.toml, line 3: unknown field `colour`"),
            "{error}"
        );
        let error = read("[local]\n\nlisten = \"nowhere\"", &[]).unwrap_err();
        assert!(error.starts_with("config.toml, line 3: "), "{error}");
        let error = read("[local", &[]).unwrap_err();
        assert!(error.starts_with("config.toml, line 1: "), "{error}");
        let error = read("", &[("PARLOR_STORE_PTH", "x")]).unwrap_err();
        assert_eq!(
            error,
            "PARLOR_STORE_PTH in the environment: there is no such key; [store] has path, keep_messages, keep_days, keep_events, backup_every, backup_keep, backup_path"
        );
        assert!(read("", &[("PARLOR_LOCAL_ENABLED", "maybe")]).is_err());
    }

    #[test]
    fn what_is_kept_can_be_chosen() {
        assert_eq!(read("", &[]).unwrap().store.retention(), Retention::default());
        let config = read("[store]\nkeep_messages = 50", &[("PARLOR_STORE_KEEP_DAYS", "7")]).unwrap();
        let chosen = Retention {
            messages: 50,
            age: Span::days(7),
            ..Retention::default()
        };
        assert_eq!(config.store.retention(), chosen);
        for nothing in ["0", "-1", "\"many\""] {
            let error = read(&format!("[store]\nkeep_days = {nothing}"), &[]).unwrap_err();
            assert!(error.starts_with("config.toml, line 2: "), "{error}");
        }
        assert!(read("", &[("PARLOR_STORE_KEEP_EVENTS", "many")]).is_err());
    }

    #[test]
    fn a_way_round_needs_an_address_and_a_certificate() {
        let both = "[discord]\napi_address = \"127.0.0.1:1\"\napi_ca_file = \"ca.pem\"";
        let config = read(both, &[]).unwrap();
        assert_eq!(
            config.discord.detour(),
            Some(("127.0.0.1:1", Path::new("ca.pem")))
        );
        let half = read("[discord]\napi_address = \"127.0.0.1:1\"", &[]).unwrap_err();
        assert!(half.contains("api_address and api_ca_file"), "{half}");
        assert!(read("", &[("PARLOR_DISCORD_API_CA_FILE", "ca.pem")]).is_err());
    }

    #[test]
    fn figures_are_told_nowhere_and_logs_are_text_unless_it_is_wanted() {
        let plain = read("", &[]).unwrap();
        assert_eq!(plain.operate.listen, None);
        assert_eq!(
            (plain.log.format, plain.log.level),
            (LogFormat::Text, LogLevel::Warn)
        );
        let text = "[operate]\nlisten = \"127.0.0.1:9787\"\n[log]\nformat = \"json\"\nlevel = \"info\"";
        let wanted = read(text, &[("PARLOR_LOG_LEVEL", "debug")]).unwrap();
        assert_eq!(wanted.operate.listen, Some("127.0.0.1:9787".parse().unwrap()));
        assert_eq!(
            (wanted.log.format, wanted.log.level),
            (LogFormat::Json, LogLevel::Debug)
        );
        let error = read("[log]\nformat = \"xml\"", &[]).unwrap_err();
        assert!(
            error.starts_with("config.toml, line 2: unknown variant `xml`"),
            "{error}"
        );
        assert!(read("", &[("PARLOR_OPERATE_LISTEN", "everywhere")]).is_err());
    }

    #[test]
    fn an_application_id_may_stand_in_quotes() {
        let id = NonZeroU64::new(1234567890123456789).map(Snowflake);
        for text in ["1234567890123456789", "\"1234567890123456789\""] {
            let config = read(&format!("[discord]\napplication_id = {text}"), &[]).unwrap();
            assert_eq!(config.discord.application_id, id);
        }
        assert!(read("[discord]\napplication_id = 0", &[]).is_err());
    }

    #[test]
    fn secrets_stay_out_of_debug_output() {
        let config = read(
            "[discord]\ntoken = \"hush\"",
            &[("PARLOR_MATRIX_PASSWORD", "quiet")],
        )
        .unwrap();
        let shown = format!("{config:?}");
        assert!(!shown.contains("hush") && !shown.contains("quiet"), "{shown}");
    }
}
