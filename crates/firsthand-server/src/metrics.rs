//! What the service counts, as Prometheus reads it. A registry of its own for each service, so that two
//! in one process, as in tests, do not mix.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets for times, in seconds.
const BOUNDS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// A number that goes up.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicI64);

impl Gauge {
    pub(crate) fn inc(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn dec(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn add(&self, more: usize) {
        self.0.fetch_add(i64::try_from(more).unwrap_or(i64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn sub(&self, less: usize) {
        self.0.fetch_sub(i64::try_from(less).unwrap_or(i64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn set(&self, value: u64) {
        self.0.store(i64::try_from(value).unwrap_or(i64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long things take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Times {
    fn add(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (bucket, bound) in self.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        self.count += 1;
        self.seconds += seconds;
    }
}

/// Counters by a label.
pub(crate) type ByLabel = Mutex<BTreeMap<&'static str, u64>>;

/// What the service counts.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Connections that are open.
    pub(crate) connections: Gauge,
    /// Requests that are worked on.
    pub(crate) in_flight: Gauge,
    /// Bytes of signed documents that wait to be judged.
    pub(crate) queue_bytes: Gauge,
    /// Documents in the store, and the bytes of their records.
    pub(crate) store_documents: Gauge,
    pub(crate) store_bytes: Gauge,
    /// Free bytes on the disk of the store.
    pub(crate) disk_free: Gauge,
    /// Documents that share the keys of new ones and were not all looked at.
    pub(crate) capped: Gauge,
    /// Rounds that were committed, and the documents of them.
    pub(crate) rounds: Counter,
    /// Candidates that documents were compared with.
    pub(crate) candidates: Counter,
    /// Bytes of bodies.
    pub(crate) body_bytes: Counter,
    /// Bytes of answers that went to a file since nobody read them.
    pub(crate) spilled_bytes: Counter,
    verdicts: ByLabel,
    rejected: ByLabel,
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    round_times: Mutex<Times>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Metrics {
    /// Something was refused, and why.
    pub(crate) fn rejected(&self, reason: &'static str) {
        *lock(&self.rejected).entry(reason).or_default() += 1;
    }

    /// Verdicts that were given.
    pub(crate) fn verdicts(&self, verdict: &'static str, more: u64) {
        *lock(&self.verdicts).entry(verdict).or_default() += more;
    }

    /// A request was answered. The endpoint is its pattern, so that there are few of them.
    pub(crate) fn request(&self, endpoint: &str, status: u16, time: Duration) {
        *lock(&self.requests).entry((endpoint.to_owned(), status)).or_default() += 1;
        lock(&self.times).entry(endpoint.to_owned()).or_default().add(time);
    }

    /// A round was committed.
    pub(crate) fn round(&self, time: Duration) {
        self.rounds.add(1);
        lock(&self.round_times).add(time);
    }

    /// As Prometheus reads it.
    pub(crate) fn text(&self) -> String {
        let mut page = Page(String::new());
        let gauges = [
            ("connections", "Connections that are open", &self.connections),
            ("requests_in_flight", "Requests that are worked on", &self.in_flight),
            ("queue_bytes", "Bytes of documents that wait to be judged", &self.queue_bytes),
            ("store_documents", "Documents in the store", &self.store_documents),
            ("store_size_bytes", "Bytes of their records", &self.store_bytes),
            ("disk_free_bytes", "Free bytes on the disk of the store", &self.disk_free),
            ("store_crowded_keys", "Times that a crowded key was met", &self.capped),
        ];
        for (name, help, gauge) in gauges {
            page.head(name, help, "gauge");
            page.line(name, "", gauge.get() as f64);
        }
        let counters = [
            ("rounds_total", "Rounds that were committed", &self.rounds),
            ("candidates_total", "Candidates that documents were compared with", &self.candidates),
            ("request_body_bytes_total", "Bytes of bodies", &self.body_bytes),
            ("answers_spilled_bytes_total", "Bytes of answers kept in files", &self.spilled_bytes),
        ];
        for (name, help, counter) in counters {
            page.head(name, help, "counter");
            page.line(name, "", counter.get() as f64);
        }
        page.head("documents_total", "Answers to documents, by verdict", "counter");
        for (verdict, count) in lock(&self.verdicts).iter() {
            page.line("documents_total", &format!("{{verdict=\"{verdict}\"}}"), *count as f64);
        }
        page.head("rejected_total", "What was refused, by reason", "counter");
        for (reason, count) in lock(&self.rejected).iter() {
            page.line("rejected_total", &format!("{{reason=\"{reason}\"}}"), *count as f64);
        }
        page.head("requests_total", "Requests, by endpoint and status", "counter");
        for ((endpoint, status), count) in lock(&self.requests).iter() {
            let labels = format!("{{endpoint=\"{endpoint}\",status=\"{status}\"}}");
            page.line("requests_total", &labels, *count as f64);
        }
        page.head("request_duration_seconds", "From head to end of answer", "histogram");
        for (endpoint, times) in lock(&self.times).iter() {
            page.times("request_duration_seconds", &format!("endpoint=\"{endpoint}\","), times);
        }
        page.head("round_duration_seconds", "Rounds, from first look-up to sync", "histogram");
        page.times("round_duration_seconds", "", &lock(&self.round_times));
        page.0
    }
}

/// The text that is being written.
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = writeln!(self.0, "# HELP firsthand_{name} {help}.\n# TYPE firsthand_{name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &str, value: f64) {
        let _ = writeln!(self.0, "firsthand_{name}{labels} {value}");
    }

    fn times(&mut self, name: &str, labels: &str, times: &Times) {
        for (count, bound) in times.buckets.iter().zip(BOUNDS) {
            self.line(
                &format!("{name}_bucket"),
                &format!("{{{labels}le=\"{bound}\"}}"),
                *count as f64,
            );
        }
        self.line(
            &format!("{name}_bucket"),
            &format!("{{{labels}le=\"+Inf\"}}"),
            times.count as f64,
        );
        let labels = labels.trim_end_matches(',');
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        self.line(&format!("{name}_sum"), &labels, times.seconds);
        self.line(&format!("{name}_count"), &labels, times.count as f64);
    }
}
