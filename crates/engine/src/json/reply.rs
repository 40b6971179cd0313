//! The move of a player who is no person, as JSON.

use serde_json::{Value as Json, json};

use super::{move_of, object};
use crate::{Answered, Opponent, Reply, Source};

/// The move that `opponent` makes at `answered`, with its value for that player; null if the game is over there.
#[must_use]
pub fn reply(source: &Source, answered: &Answered, opponent: Opponent, reply: Option<&Reply>) -> Json {
    let made = reply.map_or(Json::Null, |reply| move_of(source.game(), &reply.chosen).into());
    let all = object([
        ("game", json!(source.game().rules().name())),
        ("position", json!(answered.answer.position)),
        ("skill", json!(opponent.skill.name())),
        ("reply", made),
        ("proved", json!(reply.is_some_and(|reply| reply.proved))),
    ]);
    all.into()
}
