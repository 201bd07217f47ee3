//! `firsthand eval`: methods against labels.

pub(crate) mod page;
pub(crate) mod report;
