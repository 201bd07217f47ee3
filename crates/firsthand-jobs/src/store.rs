//! The store of a stream: opening it with the settings that hold for it, and its upkeep.

mod inquire;
mod open;
mod reviewed;
mod upkeep;

pub(crate) use inquire::sorted;
pub use inquire::{
    ClusterFormat, ClusterOrder, clusters, document_json, get, get_by_url, write_clusters,
};
pub use open::{OpenStore, StoreRequest, open};
pub use reviewed::Reviewed;
pub(crate) use upkeep::erase_texts;
pub use upkeep::{
    Compacted, StoreInfo, backup, compact, decisions, delete, expire, export, info, shown_address,
    verify,
};
pub use upkeep::{DocumentLine, upkeep};

#[cfg(test)]
mod tests;
