//! How good a method is, measured against labels: pairs, clusters, thresholds, and confidence
//! intervals.
//!
//! A [`Truth`] says which pairs of documents are near-duplicates. [`Scored`] holds the pairs that a
//! method reports with their scores, and [`Closure`] the groups they form. Both are counted on a
//! [`Sample`] of the labels: all of them, a half, or a bootstrap draw. So precision, recall, the
//! best threshold, intervals and held-out figures all use the same few functions. [`assess()`] does
//! all of it for several methods, on the same draws. [`fates`] says which originals a collection
//! loses.
//!
//! ```
//! use firsthand::collections::Match;
//! use firsthand::evaluate::{Goal, Label, Sample, Scored, Truth};
//!
//! let truth = Truth::clusters(&[Label::Cluster(7), Label::Cluster(7), Label::Alone], []);
//! let stated = [(0, 1, 0.9), (0, 2, 0.4)].map(|(a, b, score)| Match { a, b, score, exact: false });
//! let scored = Scored::new(&truth, stated, 0.2);
//! let all = Sample::whole(&truth);
//! assert_eq!(scored.all(&all).precision(), 0.5);
//! let best = scored.best(&all, Goal::F1).ok_or("nothing is right")?;
//! assert_eq!((best.value, best.threshold), (1.0, 0.9));
//! # Ok::<(), &str>(())
//! ```

mod agreement;
mod assess;
mod bootstrap;
mod closure;
mod counterfactual;
mod counts;
mod held_out;
pub mod online;
mod page_kind;
mod random;
mod sample;
mod scored;
mod suppressed;
mod truth;
mod tune;
mod union_find;
mod valley;

pub use agreement::Agreement;
pub use assess::{Assessment, Plan, Subject, assess, difference};
pub use bootstrap::{Interval, draws};
pub use closure::Closure;
pub use counterfactual::{change_furniture, change_one_figure};
pub use counts::{Counts, Goal};
pub use held_out::{Trial, held_out};
pub use page_kind::{PageKind, page_kinds};
#[cfg(feature = "learn")]
pub(crate) use random::Random;
pub use sample::Sample;
pub use scored::{Choice, Scored};
pub use suppressed::{Fate, Suppressed, fates};
pub use truth::{Label, Truth};
pub use tune::{Candidate, Effort, lead, tune};
pub use valley::{NoValley, Valley, valley};
