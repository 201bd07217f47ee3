//! Tar archives.

/// A member that says to hold `size` bytes, with its header only.
pub(crate) fn header(name: &[u8], kind: u8, link: &[u8], size: usize) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name);
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    header[136..148].copy_from_slice(b"00000000000\0");
    header[148..156].copy_from_slice(b"        ");
    header[156] = kind;
    header[157..157 + link.len()].copy_from_slice(link);
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// An ordinary member.
pub(crate) fn member(name: &str, content: impl AsRef<[u8]>) -> Vec<u8> {
    let content = content.as_ref();
    let mut member = header(name.as_bytes(), b'0', b"", content.len());
    member.extend(content);
    member.resize(member.len().next_multiple_of(512), 0);
    member
}

/// What stands at the end.
pub(crate) const END: [u8; 1024] = [0; 1024];
