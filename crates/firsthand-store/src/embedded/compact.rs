//! Freeing space: replaced payloads, former generations, and many runs merged into one.

use super::{
    Embedded, description,
    disk::{Handle, temporary},
    errors::{damaged, failed},
    files,
    frame::Frames,
    info,
    log::{Log, LogEvent, LogReader},
    record::{self, Commit, HEADER_LENGTH, LogHeader, LogRecord, RoundState},
    recover::Generation,
};
use firsthand::online::StoreError;
use std::fs;

/// Bytes after which a rewritten log gets a commit record.
const ROUND: usize = 1 << 20;

impl Embedded {
    /// Frees what can be freed; returns the size in bytes before and after.
    pub(super) fn free_space(&mut self) -> Result<(u64, u64), StoreError> {
        self.wait_for_worker()?;
        let before = info::size(&self.root);
        for number in 1..self.description.generation {
            let folder = description::generation(&self.root, number);
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(|e| failed(&folder, "delete", &e))?;
            }
        }
        let numbers: Vec<i64> = self.buckets.keys().copied().collect();
        for &number in &numbers {
            self.rewrite(number)?;
        }
        self.rewrite_main()?;
        if let Some(texts) = self.open_texts(false)? {
            texts.compact()?;
        }
        for number in numbers {
            let runs = self.buckets.get(&number).map_or(0, |bucket| bucket.runs.len());
            self.merge(number, 0..runs);
        }
        self.wait_for_worker()?;
        Ok((before, info::size(&self.root)))
    }

    /// Rewrites the log of a bucket if payloads in it were replaced.
    fn rewrite(&mut self, number: i64) -> Result<(), StoreError> {
        let Some(bucket) = self.buckets.get(&number) else { return Ok(()) };
        if bucket.replaced == 0 {
            return Ok(());
        }
        let state = RoundState { round: self.state.round + 1, ..self.state };
        let header = LogHeader { log: self.next_log, ..self.header };
        let mut main = Frames::new(self.main.id, self.main.end);
        record::write(&mut main, &LogRecord::Forgotten { log: bucket.log.id });
        record::write(&mut main, &LogRecord::BucketLog { log: header.log, bucket: number });
        let main_end = main.end() + record::commit_frame(2);
        let result = self.write_copy(number, header, state, main_end).and_then(|end| {
            let parts = vec![(header.log, end), (self.main.id, main_end)];
            let commit = Commit { state, parts };
            record::write(&mut main, &LogRecord::Commit(commit.clone()));
            self.main.handle.write(self.main.end, main.bytes())?;
            self.main.handle.sync()?;
            self.journal()?.record(&commit)
        });
        if let Err(error) = result {
            self.broken = Some(error.to_string());
            return Err(error);
        }
        self.next_log += 1;
        self.state = state;
        self.main.end = main_end;
        let files = Generation::new(&self.disk, &self.folder, self.header, &self.tuning)?;
        let bucket = files.reread(number, header.log)?;
        self.main_contents.logs.insert(header.log, number);
        if let Some(old) = self.buckets.insert(number, bucket) {
            self.main_contents.logs.remove(&old.log.id);
            old.delete();
        }
        Ok(())
    }

    /// Copies the current contents of a log to a new one; returns its end.
    fn write_copy(
        &self,
        number: i64,
        header: LogHeader,
        state: RoundState,
        main_end: u64,
    ) -> Result<u64, StoreError> {
        let Some(bucket) = self.buckets.get(&number) else { return Ok(0) };
        let path = self.folder.join(files::log(header.log));
        let temporary = temporary(&path);
        let _ = fs::remove_file(&temporary);
        let handle = Handle::create(&self.disk, &temporary)?;
        let mut frames = Frames::new(header.log, 0);
        record::write(&mut frames, &LogRecord::Header(header));
        let mut reader = LogReader::new(&bucket.log.handle, bucket.log.id, HEADER_LENGTH)?;
        while reader.at() < bucket.log.end {
            let part = reader.round()?;
            let odd = || {
                damaged(bucket.log.handle.path(), reader.at(), "a committed round cannot be read")
            };
            for event in part.ok_or_else(odd)?.events {
                match event {
                    LogEvent::Document { seq, time, .. } => {
                        let local = bucket.local(seq).ok_or_else(odd)?;
                        let payload = bucket.payload(local)?;
                        let record = LogRecord::Document { seq, time, payload: &payload };
                        record::write(&mut frames, &record);
                    }
                    LogEvent::Keys { seq, keys } => {
                        let keys = record::keys_to_bytes(&keys);
                        record::write(&mut frames, &LogRecord::Keys { seq, keys: &keys });
                    }
                    _ => {}
                }
            }
            if frames.bytes().len() > ROUND {
                let end = frames.end() + record::commit_frame(1);
                let parts = vec![(header.log, end)];
                record::write(&mut frames, &LogRecord::Commit(Commit { state, parts }));
                handle.write(frames.start(), frames.bytes())?;
                frames = Frames::new(header.log, end);
            }
        }
        let end = frames.end() + record::commit_frame(2);
        let parts = vec![(header.log, end), (self.main.id, main_end)];
        record::write(&mut frames, &LogRecord::Commit(Commit { state, parts }));
        handle.write(frames.start(), frames.bytes())?;
        handle.sync()?;
        self.disk.rename(&temporary, &path)?;
        Ok(end)
    }

    /// Rewrites the main log.
    pub(super) fn rewrite_main(&mut self) -> Result<(), StoreError> {
        let header = LogHeader { log: self.next_log, ..self.header };
        let made = super::main_log::make(
            &self.disk,
            &self.folder,
            header,
            self.state,
            &self.main_contents,
        );
        let recorded = made.and_then(|log| {
            let commit = Commit { state: self.state, parts: vec![(log.id, log.end)] };
            self.journal()?.record(&commit)?;
            Ok(log)
        });
        let log: Log = recorded.inspect_err(|error| self.broken = Some(error.to_string()))?;
        self.next_log += 1;
        let old = std::mem::replace(&mut self.main, log);
        files::delete(old.handle.path());
        Ok(())
    }
}
