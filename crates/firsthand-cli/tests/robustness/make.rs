//! Makes formats by hand, so that they can be wrong in any way.

pub(crate) mod compressed;
pub(crate) mod tar;
pub(crate) mod warc;
pub(crate) mod zip;
