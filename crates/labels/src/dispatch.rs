//! The types of labels, by kind: the one list of them.

/// Evaluates `$body` with `$label` bound to the type of the label of `$kind`.
///
/// ```
/// use tablegen_labels::{Label, LabelKind, Width};
/// use tablegen_labels::with_label;
///
/// let loses = |kind, code| with_label!(kind, L => L::decode(code, Width::Eight).is_some());
/// assert_eq!(LabelKind::ALL.map(|kind| loses(kind, 0)), [true; 4]);
/// ```
#[macro_export]
macro_rules! with_label {
    ($kind:expr, $label:ident => $body:expr) => {
        match $kind {
            $crate::LabelKind::Outcome => {
                type $label = $crate::Outcome;
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
            $crate::LabelKind::Outcome => unreachable!("outcomes are bits"),
            $crate::LabelKind::Remoteness => {
                type $label = $crate::Remoteness;
                $body
            }
            $crate::LabelKind::Nimber => {
                type $label = $crate::Nimber;
                $body
            }
            $crate::LabelKind::MisereNimber => {
                type $label = $crate::MisereNimber;
                $body
            }
        }
    };
}
