//! Laws and cases of the core, a theme per file. One program holds all of them: each would link the core anew.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod collections;
mod counterfactual;
mod decision_laws;
mod evaluate_laws;
mod evaluate_online_laws;
mod examples;
mod folding;
mod frames;
mod guard_cases;
mod guard_laws;
mod matcher_laws;
mod methods;
#[cfg(feature = "learn")]
mod model_laws;
mod nonsense;
mod online;
mod online_crowded;
mod online_decisions;
mod online_erasure;
mod online_flood;
mod online_laws;
#[cfg(feature = "learn")]
mod proposed_laws;
mod same_site;
mod shuffle_laws;
mod star_laws;
mod stream;
mod waist_laws;
