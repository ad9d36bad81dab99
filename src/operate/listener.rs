//! The operator's listener: `/metrics`, `/healthz` and `/readyz`.

use std::future::IntoFuture;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use super::metrics::Metrics;
use super::standing::{Standing, Verdict};
use crate::chat::link::StopSignal;

/// What Prometheus calls the format of the figures.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long whoever asks may keep us once we stop.
const PATIENCE: Duration = Duration::from_secs(1);

/// Why the operator's listener can't listen.
#[derive(Debug, thiserror::Error)]
#[error("[operate] can't listen on {address}: {cause}")]
pub struct BindError {
    address: SocketAddr,
    cause: io::Error,
}

/// Listens where the operator wants.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|cause| BindError { address, cause })
}

#[derive(Clone, Debug)]
struct Told {
    metrics: Arc<Metrics>,
    standing: Arc<Standing>,
}

/// Answers until it is told to stop.
pub async fn serve(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    standing: Arc<Standing>,
    stop: StopSignal,
) -> io::Result<()> {
    let router = Router::new()
        .route("/metrics", get(figures))
        .route(
            "/healthz",
            get(async |State(told): State<Told>| answer(told.standing.alive())),
        )
        .route(
            "/readyz",
            get(async |State(told): State<Told>| answer(told.standing.ready())),
        )
        .fallback(async || (StatusCode::NOT_FOUND, "there is /metrics, /healthz and /readyz\n"))
        .with_state(Told { metrics, standing });
    let serving = axum::serve(listener, router).with_graceful_shutdown(stop.told());
    tokio::select! {
        served = serving.into_future() => served,
        () = async {
            stop.told().await;
            tokio::time::sleep(PATIENCE).await;
        } => Ok(()),
    }
}

async fn figures(State(Told { metrics, standing }): State<Told>) -> Response {
    let written = tokio::task::spawn_blocking(move || metrics.text(&standing)).await;
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
