//! The cluster that a page is about, and what of it the address asks for.

use super::address::ListQuery;
use firsthand_jobs::review::{ClusterView, MemberView, Review};

/// What of a cluster is shown.
pub(super) struct Shown<'a> {
    pub(super) query: &'a ListQuery,
    /// The id of the member that is shown beside the original.
    pub(super) member: Option<&'a str>,
    /// `diff`, `stack`, `text` or `page`.
    pub(super) show: &'a str,
    /// The number of rows of members before those that are shown.
    pub(super) from: usize,
}

/// A cluster and what of it is shown.
pub(super) struct ClusterOnView<'a> {
    pub(super) review: &'a Review,
    pub(super) view: &'a ClusterView,
    pub(super) what: &'a Shown<'a>,
    /// The member that is shown beside the original.
    pub(super) chosen: Option<&'a MemberView>,
}
