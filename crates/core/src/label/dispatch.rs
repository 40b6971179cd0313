//! The types of labels, by kind: the one list of them.

/// Evaluates `$body` with `$label` bound to the type of the label of `$kind`.
///
/// ```
/// use tablegen_core::label::{Label, LabelKind, Width};
/// use tablegen_core::with_label;
///
/// let loses = |kind, code| with_label!(kind, L => L::decode(code, Width::Eight).is_some());
/// assert_eq!(LabelKind::ALL.map(|kind| loses(kind, 0)), [true; 4]);
/// ```
#[macro_export]
macro_rules! with_label {
    ($kind:expr, $label:ident => $body:expr) => {
        match $kind {
            $crate::label::LabelKind::Outcome => {
                type $label = $crate::rules::Outcome;
                $body
            }
            kind => $crate::with_byte_label!(kind, $label => $body),
        }
    };
}

/// Evaluates `$body` with `$label` bound to the type of the label of `$kind`, which is not the outcome.
///
/// # Panics
/// For the outcome.
#[macro_export]
macro_rules! with_byte_label {
    ($kind:expr, $label:ident => $body:expr) => {
        match $kind {
            $crate::label::LabelKind::Outcome => unreachable!("outcomes are bits"),
            $crate::label::LabelKind::Remoteness => {
                type $label = $crate::label::Remoteness;
                $body
            }
            $crate::label::LabelKind::Nimber => {
                type $label = $crate::label::Nimber;
                $body
            }
            $crate::label::LabelKind::MisereNimber => {
                type $label = $crate::label::MisereNimber;
                $body
            }
        }
    };
}
