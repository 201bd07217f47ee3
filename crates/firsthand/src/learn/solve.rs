//! Finds the coefficients with the least loss.

use super::{
    objective::Objective,
    vectors::{PairVectors, START},
};
use crate::{measure::Measure, model::FEATURES};
use argmin::{
    core::{CostFunction, Error, Executor, Gradient, State},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use std::sync::{Mutex, PoisonError};

/// The most steps.
const STEPS: u64 = 150;
/// The search ends when a step gains less: of losses around 0.05, it changes no weight that
/// matters.
const GAIN: f64 = 1e-6;
/// Previous steps that L-BFGS remembers.
const MEMORY: usize = 10;

/// The result of the search.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) coefficients: [f64; FEATURES],
    pub(super) steps: u64,
    /// Before and after.
    pub(super) loss: (f64, f64),
}

/// Finds the coefficients with the least loss.
pub(super) fn solve(vectors: PairVectors, orders: &[(u32, u32)], measure: Measure) -> Solved {
    let objective = Objective::new(vectors, orders, measure, &START);
    let start = objective.start();
    let first = objective.at(&start);
    let best = BestSoFar { loss: first.0, at: start.clone() };
    let problem = Problem { objective: &objective, last: Mutex::new(None), best: Mutex::new(best) };
    // Where the loss has a kink, as with weights that reach zero, the line search may fail: then
    // the best point so far is the result.
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_cost(GAIN);
    let run = solver.and_then(|solver| {
        let executor = Executor::new(&problem, solver);
        executor.configure(|state| state.param(start).max_iters(STEPS)).timer(false).run()
    });
    let steps = run.map_or(0, |result| result.state().get_iter());
    let best = problem.best.into_inner().unwrap_or_else(PoisonError::into_inner);
    Solved { coefficients: objective.plain(&best.at), steps, loss: (first.0, best.loss) }
}

struct Problem<'a> {
    objective: &'a Objective,
    /// The last point evaluated: loss and gradient are requested one after the other.
    last: Mutex<Option<Evaluated>>,
    best: Mutex<BestSoFar>,
}

struct Evaluated {
    at: Vec<f64>,
    loss: f64,
    gradient: Vec<f64>,
}

struct BestSoFar {
    loss: f64,
    at: Vec<f64>,
}

impl Problem<'_> {
    fn at(&self, point: &[f64]) -> (f64, Vec<f64>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(looked) = last.as_ref().filter(|looked| looked.at == point) {
            return (looked.loss, looked.gradient.clone());
        }
        let (loss, gradient) = self.objective.at(point);
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if loss < best.loss {
            *best = BestSoFar { loss, at: point.to_vec() };
        }
        *last = Some(Evaluated { at: point.to_vec(), loss, gradient: gradient.clone() });
        (loss, gradient)
    }
}

impl CostFunction for &Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.at(point).0)
    }
}

impl Gradient for &Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.at(point).1)
    }
}
