//! Bytes to documents: folders and JSONL, HTML to main text.
