//! `parlor config check` and `parlor health`: what an operator asks before and while the bot runs.

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::Failure;
use super::arguments::{ConfigFile, HealthArguments, UsageError};
use super::serve::{config_path, configuration};
use crate::config::{Config, PublicUrl};
use crate::files;
use crate::matches::time::Span;
use crate::operate::asking::{self, HealthQuestion};

/// Reads the configuration and the environment, and tells what would be started and what looks wrong.
pub fn config_check(file: &ConfigFile) -> Result<(), Failure> {
    let config = configuration(file)?;
    let path = config_path(file).unwrap_or_else(|| PathBuf::from("config.toml"));
    let mut out = io::stdout();
    for line in plan(&config, path.exists().then_some(&path)) {
        writeln!(out, "{line}")?;
    }
    let findings = look(&config, &path);
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    let wrong = findings
        .iter()
        .filter(|finding| matches!(finding, Finding::Wrong(_)))
        .count();
    match wrong {
        0 => Ok(writeln!(out, "The configuration is good.")?),
        1 => Err(UsageError::new("one thing in the configuration can't work; see above").into()),
        _ => Err(UsageError(format!(
            "{wrong} things in the configuration can't work; see above"
        ))
        .into()),
    }
}

/// Asks the bot that runs with this configuration how it is.
pub fn health(arguments: &HealthArguments, file: &ConfigFile) -> Result<(), Failure> {
    let listen = configuration(file)?.operate.listen.ok_or_else(|| {
        UsageError::new(
            "[operate] has no `listen`, so the bot can't be asked; set it and start the bot again",
        )
    })?;
    let question = if arguments.ready {
        HealthQuestion::Ready
    } else {
        HealthQuestion::Alive
    };
    asking::ask(listen, question).map_err(io::Error::other)?;
    Ok(writeln!(io::stdout(), "ok")?)
}

/// Something about a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Finding {
    /// The bot would start, but it may not be what is wanted.
    Odd(String),
    /// The bot would not start.
    Wrong(String),
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Odd(what) => write!(f, "warning: {what}"),
            Self::Wrong(what) => write!(f, "wrong: {what}"),
        }
    }
}

/// What would be started.
fn plan(config: &Config, file: Option<&PathBuf>) -> Vec<String> {
    let mut lines = vec![match file {
        Some(file) => format!("Configuration: {} and the environment", file.display()),
        None => "Configuration: the environment alone; there is no file".to_owned(),
    }];
    lines.push(format!("Store: {}", config.store.path.display()));
    if let Some(every) = &config.store.backup_every {
        let (folder, keep) = (config.store.backup_folder(), config.store.backup_keep);
        lines.push(format!(
            "Backups: every {}, the last {keep} in {}",
            Span::seconds(every.0.as_secs()),
            folder.display()
        ));
    }
    if config.opens_local() {
        lines.push(format!("Local room: http://{}", config.local.listen));
    }
    if let Some(listen) = config.web.listen {
        let url = config.web.public_url.clone();
        let url = url.unwrap_or_else(|| PublicUrl::at(listen));
        lines.push(format!("Pages of matches: {url}, served on {listen}"));
    }
    if config.discord.token.is_some() {
        lines.push(match config.discord.detour() {
            Some((address, _)) => format!("Discord: by way of {address}"),
            None => "Discord".to_owned(),
        });
    }
    if config.matrix.is_meant() {
        let homeserver = config.matrix.homeserver.as_deref();
        lines.push(format!("Matrix: {}", homeserver.unwrap_or("no homeserver")));
    }
    if let Some(listen) = config.operate.listen {
        lines.push(format!("Metrics and health: http://{listen}"));
    }
    lines.push(format!(
        "Log: {} as {}, to standard error",
        config.log.level, config.log.format
    ));
    lines
}

fn look(config: &Config, file: &Path) -> Vec<Finding> {
    let mut found = Vec::new();
    if has_secret(file) && others_can_read(file) {
        found.push(Finding::Odd(format!(
            "{0} holds a secret and others on this machine can read it; `chmod 600 {0}`",
            file.display()
        )));
    }
    found.extend(folder_finding("store", &config.store.path));
    if config.store.backup_every.is_some() {
        let inside = config.store.backup_problem().map(Finding::Wrong);
        found.extend(inside.or_else(|| folder_finding("backups' folder", &config.store.backup_folder())));
    }
    if config.opens_local() && !config.local.listen.ip().is_loopback() {
        found.push(Finding::Wrong(format!(
            "[local] listens on {}, which others can reach; use 127.0.0.1 or [::1]",
            config.local.listen
        )));
    }
    found.extend(web_findings(config));
    if let Some(listen) = config.operate.listen {
        found.extend(operate_finding(listen, config));
    }
    if !config.has_platform() && !config.opens_local() {
        found.push(Finding::Wrong(
            "nothing would be opened: give [discord] a token, [matrix] an account, or set enabled = true in [local]"
                .to_owned(),
        ));
    }
    if config.discord.token.is_some() && cfg!(not(feature = "discord")) {
        found.push(Finding::Wrong(
            "[discord] is set, but this program was built without Discord".to_owned(),
        ));
    }
    if config.matrix.is_meant() && cfg!(not(feature = "matrix")) {
        found.push(Finding::Wrong(
            "[matrix] is set, but this program was built without Matrix".to_owned(),
        ));
    }
    found.extend(matrix_finding(config));
    if let Some((_, certificate)) = config.discord.detour()
        && let Err(error) = fs::read(certificate)
    {
        let path = certificate.display();
        found.push(Finding::Wrong(format!(
            "[discord] api_ca_file {path} can't be read: {error}"
        )));
    }
    if let Some(token) = &config.discord.token
        && token.expose().trim().is_empty()
    {
        found.push(Finding::Wrong("[discord] token is empty".to_owned()));
    }
    found
}

fn matrix_finding(config: &Config) -> Option<Finding> {
    let matrix = &config.matrix;
    if !matrix.is_meant() {
        return None;
    }
    let wrong = |what: &str| Some(Finding::Wrong(what.to_owned()));
    if matrix.homeserver.is_none() {
        return wrong("[matrix] has no homeserver");
    }
    let with_password = matrix.user.is_some() && matrix.password.is_some();
    if !with_password && matrix.access_token.is_none() {
        return wrong("[matrix] needs a user and a password, or an access_token");
    }
    None
}

fn web_findings(config: &Config) -> Vec<Finding> {
    let web = &config.web;
    let Some(listen) = web.listen else {
        let named = web.public_url.is_some() || !web.trusted_proxies.is_empty();
        let what = "[web] has no `listen`, so no pages are served; set it, or leave [web] out";
        return named.then(|| Finding::Odd(what.to_owned())).into_iter().collect();
    };
    let mut found = Vec::new();
    let others = [
        ("local", config.opens_local().then_some(config.local.listen)),
        ("operate", config.operate.listen),
    ];
    for (name, other) in others {
        if other == Some(listen) && listen.port() != 0 {
            let what = format!("[web] and [{name}] both listen on {listen}; give one another port");
            found.push(Finding::Wrong(what));
        }
    }
    match &web.public_url {
        None => found.push(Finding::Odd(format!(
            "[web] has no public_url, so links lead to http://{listen}, which only this machine may reach"
        ))),
        Some(url) if !url.is_encrypted() => found.push(Finding::Odd(format!(
            "[web] public_url {url} is not encrypted: whoever is in between can read the links; use https"
        ))),
        Some(_) if web.trusted_proxies.is_empty() => found.push(Finding::Odd(
            "[web] has no trusted_proxies, so behind a proxy everybody counts as one visitor; name the proxy's address"
                .to_owned(),
        )),
        Some(_) => {}
    }
    found
}

fn operate_finding(listen: SocketAddr, config: &Config) -> Option<Finding> {
    if config.opens_local() && config.local.listen == listen && listen.port() != 0 {
        let what = format!("[operate] and [local] both listen on {listen}; give one another port");
        return Some(Finding::Wrong(what));
    }
    (!listen.ip().is_loopback()).then(|| {
        Finding::Odd(format!(
            "[operate] listens on {listen}: whoever can reach it reads the figures, without a password"
        ))
    })
}

/// Whether a folder can be written to, or made. Nothing is written for that: a stranger's file would keep a store from being
/// opened.
fn folder_finding(name: &str, path: &Path) -> Option<Finding> {
    let shown = path.display();
    let wrong = |what: String| Some(Finding::Wrong(what));
    match fs::metadata(path) {
        Ok(about) if !about.is_dir() => wrong(format!("the {name} {shown} is a file; name a folder")),
        Ok(_) => files::may_write_into(path)
            .err()
            .and_then(|error| wrong(format!("the {name} {shown} can't be written to: {error}"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.ancestors().skip(1).find(|folder| folder.exists());
            let above = above.unwrap_or(Path::new("."));
            files::may_write_into(above).err().and_then(|error| {
                let above = above.display();
                wrong(format!("the {name} {shown} can't be made in {above}: {error}"))
            })
        }
        Err(error) => wrong(format!("the {name} {shown} can't be looked at: {error}")),
    }
}

/// Whether a file of configuration holds a secret.
fn has_secret(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    let secret = |line: &str| {
        let key = line.split('=').next().unwrap_or_default().trim();
        ["token", "password", "access_token", "recovery_key"].contains(&key)
    };
    text.lines().any(secret)
}

#[cfg(unix)]
fn others_can_read(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|about| about.permissions().mode() & 0o044 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_: &Path) -> bool {
    false
}
