//! Small pages and what they give.
