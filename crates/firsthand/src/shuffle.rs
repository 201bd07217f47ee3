//! A collection that is spread over many machines: the steps of an exact search, as values that an
//! engine such as Spark moves from one to the next.
//!
//! Documents with equal sets form a *class*, and classes are what is compared:
//!
//! 1. [`class()`] names the class of a document by a hash of what it is compared by.
//! 2. [`entries`] are the keys of a class, enough of them for near-duplicates to share about twenty.
//! 3. [`meet`] takes the entries of all classes under some keys, and gives [`Meeting`]s; what shares a
//!    crowded key is cut into [`Part`]s, which meet elsewhere.
//! 4. [`candidates`] adds up the meetings of two classes: few of them share enough keys to be near.
//! 5. [`verify`] decides by the sets of both.
//! 6. [`Stars`] forms clusters, in one pass over the pairs in the order of preference.
//!
//! The answer is that of [`Collection`](crate::collections::Collection), whatever way the documents are
//! divided: every step is a function of its documents alone, or of all that share a key. Classes meet by 64
//! bits of their names: only if two different near-duplicate sets agreed in all of these would their pair
//! be missed.
//!
//! ```
//! use firsthand::{Detector, Document, Settings, matcher::Sides, shuffle};
//!
//! let detector = Detector::new(Settings::profile("corpus")?)?;
//! shuffle::check(detector.settings())?;
//! let text = "one two three four five six seven eight nine ten eleven twelve";
//! let signed = [text.to_owned(), format!("{text} thirteen")]
//!     .map(|text| detector.sign(&Document::new("", text)));
//! let (both, none) = (Sides { old: true, new: true }, shuffle::Frequent::default());
//! let mut entries = Vec::new();
//! for features in &signed {
//!     entries.extend(shuffle::entries(&detector, features, both, &none)?);
//! }
//! let mut met: Vec<shuffle::Meeting> = Vec::new();
//! let mut found = |piece: Vec<shuffle::Meeting>| met.extend(piece);
//! shuffle::meet(&mut entries, detector.settings(), shuffle::PART, &mut found, &mut |_| ());
//! assert_eq!(shuffle::candidates(&mut met).count(), 1);
//! assert!(shuffle::verify(&detector, &signed[0], &signed[1])?.is_some());
//! # Ok::<(), firsthand::SettingsError>(())
//! ```

mod class;
mod entry;
mod filter;
mod frequent;
mod meeting;
mod pages;
mod stars;

pub use class::{check, class, rank, verify};
pub use entry::{Entry, entries};
pub use filter::ClassFilter;
pub use frequent::Frequent;
pub use meeting::{Meeting, PART, Part, candidates, combine, meet, meet_part};
pub use pages::apply;
pub use stars::Stars;
