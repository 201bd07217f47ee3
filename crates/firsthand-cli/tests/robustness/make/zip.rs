//! Zip archives.

/// A member: its name, how it is packed, what is stored and what it says to hold.
pub(crate) struct Member<'a> {
    pub(crate) name: &'a [u8],
    /// 0 as it is, 8 deflated.
    pub(crate) method: u16,
    pub(crate) stored: &'a [u8],
    pub(crate) size: u32,
    pub(crate) checksum: u32,
}

impl<'a> Member<'a> {
    /// A member that is stored as it is.
    pub(crate) fn plain(name: &'a (impl AsRef<[u8]> + ?Sized), content: &'a [u8]) -> Self {
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        let size = content.len() as u32;
        Self { name: name.as_ref(), method: 0, stored: content, size, checksum: checksum.sum() }
    }

    /// The fields that the header of a member and the list at the end share.
    fn fields(&self) -> Vec<u8> {
        let mut fields = [20, 0, self.method, 0, 0x21].map(u16::to_le_bytes).concat();
        let sizes = [self.checksum, self.stored.len() as u32, self.size];
        fields.extend(sizes.map(u32::to_le_bytes).concat());
        fields.extend([self.name.len() as u16, 0].map(u16::to_le_bytes).concat());
        fields
    }
}

/// An archive under construction.
#[derive(Default)]
pub(crate) struct Zip {
    bytes: Vec<u8>,
    list: Vec<u8>,
    count: usize,
}

impl Zip {
    /// An archive of members as they are.
    pub(crate) fn of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = Zip::default();
        for (name, content) in members {
            zip.add(&Member::plain(*name, content));
        }
        zip.finish()
    }

    /// Adds a member; gives its position.
    pub(crate) fn add(&mut self, member: &Member<'_>) -> usize {
        let at = self.bytes.len();
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(member.fields());
        self.bytes.extend(member.name);
        self.bytes.extend(member.stored);
        self.point(member, at);
        at
    }

    /// Adds only an entry to the list, for bytes that are there already.
    pub(crate) fn point(&mut self, member: &Member<'_>, at: usize) {
        self.list.extend(b"PK\x01\x02\x14\0");
        self.list.extend(member.fields());
        self.list.extend([0; 10]);
        self.list.extend((at as u32).to_le_bytes());
        self.list.extend(member.name);
        self.count += 1;
    }

    /// Writes the list; more than 65,535 members need the larger end.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let (at, length, count) = (self.bytes.len(), self.list.len(), self.count);
        self.bytes.append(&mut self.list);
        let end = self.bytes.len() as u64;
        if count > 0xFFFF {
            self.bytes.extend(b"PK\x06\x06");
            self.bytes.extend(44u64.to_le_bytes());
            self.bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            let numbers = [count, count, length, at].map(|number| (number as u64).to_le_bytes());
            self.bytes.extend(numbers.concat());
            self.bytes.extend(b"PK\x06\x07\0\0\0\0");
            self.bytes.extend(end.to_le_bytes());
            self.bytes.extend(1u32.to_le_bytes());
        }
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        let members = count.min(0xFFFF) as u16;
        self.bytes.extend([members, members].map(u16::to_le_bytes).concat());
        self.bytes.extend([length as u32, at as u32].map(u32::to_le_bytes).concat());
        self.bytes.extend([0, 0]);
        self.bytes
    }
}
