//! The option `--labels`.

use tablegen::engine::{VALUE, default_labels};
use tablegen::game::Game;
use tablegen::label::LabelSet;

use super::failure::Failure;
use super::text::label_names;

/// The labels to store.
#[derive(clap::Args)]
pub(super) struct Labels {
    #[arg(long = "labels", help = Self::help(), value_name = "LABEL,...", value_delimiter = ',')]
    names: Vec<String>,
}

impl Labels {
    fn help() -> String {
        let labels = LabelSet::ALL.iter().map(|kind| match kind.about().option {
            "" => kind.name().to_owned(),
            about => format!("{} ({about})", kind.name()),
        });
        let labels: Vec<String> = labels.collect();
        format!(
            "Labels to store for each position: {}, {VALUE} (the canonical form of each board, in normal play); the \
             outcome is always stored [default: outcome, and score where points decide]",
            labels.join(", ")
        )
    }

    /// The requested labels and the outcome, or the default labels of `game`.
    pub(super) fn set(&self, game: &dyn Game) -> Result<LabelSet, Failure> {
        if self.names.is_empty() {
            return Ok(default_labels(game));
        }
        let of_positions = self.names.iter().map(|name| name.trim()).filter(|name| *name != VALUE);
        let set = of_positions.map(str::parse).collect::<Result<LabelSet, _>>();
        set.map_err(|error| Failure::usage(format!("--labels: {error}")).hint("separate labels by commas"))
    }

    /// True if the values of boards are requested.
    pub(super) fn values(&self) -> bool {
        self.names.iter().any(|name| name.trim() == VALUE)
    }

    /// The option as typed, with the labels of positions and of boards, and a blank before it.
    pub(super) fn as_typed(&self, labels: LabelSet) -> String {
        match (self.values(), Self::typed(labels)) {
            (false, typed) => typed,
            (true, typed) if typed.is_empty() => format!(" --labels {VALUE}"),
            (true, typed) => format!("{typed},{VALUE}"),
        }
    }

    /// The option as typed, with a blank before it; empty if only the outcome is stored, which is the default.
    pub(super) fn typed(labels: LabelSet) -> String {
        if labels == LabelSet::OUTCOME { String::new() } else { format!(" --labels {}", label_names(labels)) }
    }
}
