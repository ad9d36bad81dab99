//! Touching the pictures of a match.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};

use super::asker::Asker;
use crate::chat::refusals::refused;
use crate::connections::Visit;
use crate::local::Local;
use crate::local::problem::RoomProblem;
use crate::local::wire::name_of;
use crate::matches::code::Code;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::web::problem::Problem;
use crate::web::rates::Activity;
use crate::web::request::Body;
use crate::web::touching::{MOST_TOUCHES, Touchable, Touching};

/// What the guest means who has touched these things, and what can be touched next.
pub async fn touch(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
    Path(code): Path<String>,
    Body(Touching { version, touches }): Body<Touching>,
) -> Result<Json<Touchable>, RoomProblem> {
    local
        .rates
        .take(Activity::Say, Some(guest.id.as_str()), visit.address)?;
    let code: Code = code.parse().map_err(|_| RoomProblem::NoSuchMatch)?;
    if touches.len() > MOST_TOUCHES {
        return Err(Problem::TooManyTouches.into());
    }
    let parlor = Arc::clone(&local.parlor);
    // Some games have much to spell out.
    let answered =
        tokio::task::spawn_blocking(move || parlor.touch(&guest.id, &code, version, &touches)).await;
    let answered = answered.map_err(|error| Fault::new("reading touches", error))?;
    match answered {
        Ok(answer) => Ok(Json(Touchable::Touched(answer))),
        Err(Failure::Broken(fault)) => Err(fault.into()),
        Err(Failure::Refused(refusal)) => {
            let service = &local.parlor.service;
            let said = refused(&refusal).text.plain(|player| name_of(service, player));
            Ok(Json(Touchable::Refused { refused: said }))
        }
    }
}
