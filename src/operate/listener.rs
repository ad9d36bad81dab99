//! The operator's listener: `/metrics`, `/healthz` and `/readyz`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;

use super::bot_status::{BotStatus, Verdict};
use super::metrics::Metrics;
use crate::chat::link::StopSignal;
use crate::connections::Connections;
use crate::files;

/// What Prometheus calls the format of the figures.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A few collectors and health checks ask, and each file that they take is one that the store can't have.
const MOST_CONNECTIONS: u64 = 32;
const FEWEST_CONNECTIONS: u64 = 4;

/// How long whoever asks may keep us once we stop.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
struct Told {
    metrics: Arc<Metrics>,
    status: Arc<BotStatus>,
}

/// Answers until it is told to stop.
pub async fn serve(listener: TcpListener, metrics: Arc<Metrics>, status: Arc<BotStatus>, stop: StopSignal) {
    let router = Router::new()
        .route("/metrics", get(figures))
        .route(
            "/healthz",
            get(async |State(told): State<Told>| answer(told.status.alive())),
        )
        .route(
            "/readyz",
            get(async |State(told): State<Told>| answer(told.status.ready())),
        )
        .fallback(async || (StatusCode::NOT_FOUND, "there is /metrics, /healthz and /readyz\n"))
        .with_state(Told { metrics, status });
    let open = GracefulShutdown::new();
    let connections = Connections::new(most_connections(files::limit()));
    connections.listen(listener, &router, &open, stop.told()).await;
    // Whoever takes nothing in can't hold us up.
    _ = tokio::time::timeout(PATIENCE, open.shutdown()).await;
}

/// How many connections there may be, where so many files may be open.
fn most_connections(files: Option<u64>) -> usize {
    let share = files.map_or(MOST_CONNECTIONS, |files| files / 32);
    share.clamp(FEWEST_CONNECTIONS, MOST_CONNECTIONS) as usize
}

async fn figures(State(Told { metrics, status }): State<Told>) -> Response {
    let written = tokio::task::spawn_blocking(move || metrics.text(&status)).await;
    match written {
        Ok(Ok(text)) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Ok(Err(_)) | Err(_) => {
            tracing::error!("operate: could not write the figures");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn answer(verdict: Verdict) -> Response {
    match verdict {
        Verdict::Well => "ok\n".into_response(),
        Verdict::Unwell(reasons) => {
            let lines = reasons.join("\n") + "\n";
            (StatusCode::SERVICE_UNAVAILABLE, lines).into_response()
        }
    }
}
