//! The names that a page gives to its parts: every `id`, and the `name` of every `a`.

use super::attributes::Attributes;
use super::tags::Tag;
use firsthand::pages::{AnchorCollector, Anchors};

/// Finds the anchors of a page, and that of its first main heading: the `id` of the `h1`, or else the first anchor
/// inside it.
#[derive(Debug, Default)]
pub(super) struct AnchorFinder {
    anchors: AnchorCollector,
    heading: Heading,
}

#[derive(Debug, Default, PartialEq)]
enum Heading {
    #[default]
    Before,
    Inside,
    After,
}

impl AnchorFinder {
    /// Examines a start tag.
    pub(super) fn see(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        let names = [attributes.id, if tag == Tag::A { attributes.name } else { "" }];
        if tag == Tag::H1 && self.heading == Heading::Before {
            self.heading = Heading::Inside;
        }
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            self.anchors.add(name);
            if self.heading == Heading::Inside {
                self.anchors.add_heading(name);
            }
        }
    }

    /// Examines an end tag.
    pub(super) fn see_end(&mut self, tag: Tag) {
        if tag == Tag::H1 && self.heading == Heading::Inside {
            self.heading = Heading::After;
        }
    }

    pub(super) fn finish(self) -> Anchors {
        self.anchors.finish()
    }
}
