//! Reaching Discord, and staying in touch.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serenity::client::ClientBuilder;
use serenity::gateway::{ConnectionStage, GatewayError, ShardManager};
use serenity::model::gateway::GatewayIntents;
use serenity::model::id::ApplicationId;
use serenity::model::user::OnlineStatus;

use super::PLATFORM;
use super::closing::{self, Closing};
use super::context::{DiscordContext, PATIENCE, REVOKED, backoff};
use super::errors::DiscordError;
use super::interact::InteractionHandler;
use super::postman::DiscordPostman;
use super::rest::{Gateway, RestClient};
use super::tidier;
use crate::chat::link::{Link, LinkError, Sending, StopSignal};
use crate::chat::parlor::Parlor;
use crate::config::DiscordConfig;

/// The site whose place an address of the operator's choice may take.
const SITE: &str = "discord.com";

/// How often we look whether Discord can be reached.
const LOOK: Duration = Duration::from_secs(5);

/// How long a connection and a whole request may take. Discord answers within a second, or not at all.
const CONNECTING: Duration = Duration::from_secs(10);
const ASKING: Duration = Duration::from_secs(30);

/// Reaches Discord. A token that is refused is told at once; while Discord can't be reached, we go on trying.
pub async fn connect(
    config: &DiscordConfig,
    parlor: &Arc<Parlor>,
    stop: &StopSignal,
) -> Result<Link, LinkError> {
    let token = config
        .token
        .clone()
        .filter(|token| !token.expose().trim().is_empty());
    let token = token.ok_or_else(|| LinkError("there is no token in [discord]".to_owned()))?;
    let rest = RestClient::new(client(config).await?, &token);
    let asked = tokio::time::timeout(CONNECTING, rest.gateway()).await;
    let gateway = match asked.unwrap_or_else(|_| Err(DiscordError::later("Discord didn't answer in time"))) {
        Ok(gateway) => Some(gateway),
        Err(error) => {
            if let Some(error) = permanent_error(&error) {
                return Err(error);
            }
            tracing::warn!(%error, "discord: could not get the gateway; trying again");
            None
        }
    };
    let context = Arc::new(DiscordContext::new(Arc::clone(parlor), rest, stop.clone()));
    let application = config.application_id.map(|id| ApplicationId::from(id.0));
    let postman = Arc::new(DiscordPostman {
        context: Arc::clone(&context),
    });
    Ok(Link {
        name: PLATFORM,
        postman,
        connection: Arc::clone(&context.connection),
        listening: tokio::spawn(async move { listen(&context, application, gateway).await }),
    })
}

/// The line for the operator, if trying again is no use.
fn permanent_error(error: &DiscordError) -> Option<LinkError> {
    match error {
        DiscordError::Revoked => Some(LinkError(REVOKED.to_owned())),
        DiscordError::Forbidden { .. } | DiscordError::Refused { .. } | DiscordError::Gone { .. } => {
            Some(LinkError(format!("Discord refuses the bot: {error}")))
        }
        DiscordError::Later { .. } | DiscordError::TooManyTalks => None,
    }
}

/// The way to the site, or to the address that the operator put in its place.
async fn client(config: &DiscordConfig) -> Result<reqwest::Client, LinkError> {
    let mut builder = reqwest::Client::builder()
        .connect_timeout(CONNECTING)
        .timeout(ASKING);
    if let Some((address, file)) = config.detour() {
        let unread = |why: String| LinkError(format!("api_ca_file {}: {why}", file.display()));
        let pem = tokio::fs::read(file)
            .await
            .map_err(|error| unread(error.to_string()))?;
        let trusted =
            reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| unread(error.to_string()))?;
        if trusted.is_empty() {
            return Err(unread("there is no certificate in it".to_owned()));
        }
        for certificate in trusted {
            builder = builder.add_root_certificate(certificate);
        }
        let nowhere = |why: String| LinkError(format!("api_address {address}: {why}"));
        let found = tokio::net::lookup_host(address).await;
        let found: Vec<_> = found.map_err(|error| nowhere(error.to_string()))?.collect();
        if found.is_empty() {
            return Err(nowhere("there is nothing there".to_owned()));
        }
        builder = builder.no_proxy().resolve_to_addrs(SITE, &found);
    }
    let broken = |error: reqwest::Error| LinkError(format!("can't reach Discord: {error}"));
    builder.build().map_err(broken)
}

/// Listens until it is time to stop, or until Discord refuses the bot.
async fn listen(
    context: &Arc<DiscordContext>,
    application: Option<ApplicationId>,
    gateway: Option<Gateway>,
) -> Result<(), LinkError> {
    context.look_back().await;
    let tidying = tokio::spawn(tidier::tidy_up(Arc::clone(context)));
    let mut known = gateway;
    let mut pauses = backoff();
    let ended = loop {
        let found = match known.take() {
            Some(gateway) => Ok(gateway),
            None => tokio::select! {
                found = find_gateway(context) => found,
                over = over(context) => break over,
            },
        };
        let gateway = match found {
            Ok(gateway) => gateway,
            Err(error) => break Err(error),
        };
        let begun = tokio::time::Instant::now();
        if let Some(ended) = stay_connected(context, application, &gateway).await {
            break ended;
        }
        tokio::select! {
            () = tokio::time::sleep(pauses.pause_after(begun.elapsed())) => {}
            over = over(context) => break over,
        }
    };
    context.finish().await;
    // What is not tidied is noted.
    tidying.abort();
    ended
}

/// Ready when it is time to stop, or when Discord refuses the bot.
async fn over(context: &DiscordContext) -> Result<(), LinkError> {
    tokio::select! {
        () = context.stop.told() => Ok(()),
        why = context.fatal.wait() => Err(why.clone()),
    }
}

/// Asks where to listen, for as long as it takes.
async fn find_gateway(context: &DiscordContext) -> Result<Gateway, LinkError> {
    let mut pauses = backoff();
    loop {
        match context.rest.gateway().await {
            Ok(gateway) => return Ok(gateway),
            Err(error) => match permanent_error(&error) {
                Some(error) => return Err(error),
                None => tracing::warn!(%error, "discord: could not get the gateway; trying again"),
            },
        }
        tokio::time::sleep(pauses.pause()).await;
    }
}

/// Tells the operator why a line was closed; comes back with it, if there is no use in coming again.
fn told_why(closing: Closing) -> Option<LinkError> {
    match closing {
        Closing::InvalidShard => {
            tracing::warn!(
                "discord: gateway refuses the shard (4010); asking anew how many shards there are"
            );
            None
        }
        Closing::ShardingRequired => {
            tracing::warn!(
                "discord: too many servers for this number of shards (4011); asking anew how many there have to be"
            );
            None
        }
        Closing::InvalidVersion => Some(LinkError(
            "Discord no longer speaks this version of its gateway (4012). Update Phase Parlor.".to_owned(),
        )),
    }
}

/// Ends all lines, dead ones too: serenity notices that a line is dead when it has something to say there.
async fn end_lines(manager: &ShardManager) {
    for runner in manager.runners.lock().await.values() {
        runner.runner_tx.set_status(OnlineStatus::Online);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    if tokio::time::timeout(PATIENCE, manager.shutdown_all())
        .await
        .is_err()
    {
        // They are let go; why they had to end was told.
        tracing::debug!("discord: gateway did not close in time");
    }
}

/// Stays connected. Serenity resumes and reconnects by itself. Nothing comes back if the connection was lost in a way
/// that a new beginning may mend.
async fn stay_connected(
    context: &Arc<DiscordContext>,
    application: Option<ApplicationId>,
    gateway: &Gateway,
) -> Option<Result<(), LinkError>> {
    let listener = InteractionHandler {
        context: Arc::clone(context),
        application,
        registered: tokio::sync::Mutex::default(),
        own: OnceLock::new(),
    };
    // Interactions come without any intent.
    let client =
        ClientBuilder::new_with_http(context.rest.http(), GatewayIntents::empty()).event_handler(listener);
    let mut client = match client.await {
        Ok(client) => client,
        Err(error) => {
            tracing::warn!(%error, "discord: could not make a client; trying again");
            return None;
        }
    };
    // Serenity asks too, and takes a guess if it gets no answer.
    client.ws_url.lock().await.clone_from(&gateway.url);
    let manager = Arc::clone(&client.shard_manager);
    context.connection.want(gateway.shards);
    let ended = tokio::select! {
        ended = client.start_shards(gateway.shards) => ended,
        () = watch(context, &manager) => Ok(()),
        closing = closing::next() => {
            let refused = told_why(closing);
            end_lines(&manager).await;
            context.connection.want(gateway.shards);
            return refused.map(Err);
        }
        over = over(context) => {
            if tokio::time::timeout(PATIENCE, manager.shutdown_all()).await.is_err() {
                tracing::warn!("discord: gateway did not close in time");
            }
            return Some(over);
        }
    };
    context.connection.want(gateway.shards);
    match ended {
        Err(serenity::Error::Gateway(GatewayError::InvalidAuthentication)) => {
            Some(Err(LinkError(REVOKED.to_owned())))
        }
        Err(serenity::Error::Gateway(
            error @ (GatewayError::InvalidGatewayIntents | GatewayError::DisallowedGatewayIntents),
        )) => Some(Err(LinkError(format!("Discord refuses the bot: {error}")))),
        Err(error) => {
            tracing::warn!(%error, "discord: gateway connection lost; connecting again");
            None
        }
        Ok(()) => None,
    }
}

/// Looks after the connection, for ever. Serenity tells when a shard has connected but not always when it is lost.
async fn watch(context: &DiscordContext, manager: &ShardManager) {
    loop {
        tokio::time::sleep(LOOK).await;
        let connected: BTreeSet<u32> = manager
            .runners
            .lock()
            .await
            .iter()
            .filter(|(_, runner)| runner.stage == ConnectionStage::Connected)
            .map(|(shard, _)| shard.0)
            .collect();
        context.connection.set_up(connected);
        // Nobody may have anything to send for a long time, so we ask.
        if context.connection.lines().sending == Sending::Fails && context.rest.gateway().await.is_ok() {
            context.connection.note_answered();
        }
    }
}
