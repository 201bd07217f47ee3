//! How many requests are in flight, in all and for each client.

use crate::limits::Limits;
use crate::problem::{Code, Problem};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Who a client is: its key, or else where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Key(String),
    Address(IpAddr),
}

#[derive(Debug, Default)]
struct Counts {
    all: u64,
    uploads: u64,
    by_client: HashMap<Client, u64>,
}

/// The requests in flight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clients(Arc<Mutex<Counts>>);

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    clients: Clients,
    client: Client,
    is_upload: bool,
}

impl Clients {
    /// Lets a request in, if the limits allow it. Probes are always let in.
    pub(crate) fn enter(
        &self,
        client: Client,
        is_upload: bool,
        limits: &Limits,
    ) -> Result<InFlight, Problem> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = counts.by_client.get(&client).copied().unwrap_or(0);
        let busy = |code, limit, what| {
            Problem::new(code).limit(limit).detail(format!("{what}; wait and try again"))
        };
        if counts.all >= limits.in_flight {
            return Err(busy(Code::Unavailable, "in-flight", "the service is busy"));
        }
        if is_upload && counts.uploads >= limits.uploads {
            return Err(busy(Code::Unavailable, "uploads", "too many requests send documents"));
        }
        if of_client >= limits.per_client {
            return Err(busy(Code::TooMany, "per-client", "this client has too many requests"));
        }
        counts.all += 1;
        counts.uploads += u64::from(is_upload);
        *counts.by_client.entry(client.clone()).or_default() += 1;
        Ok(InFlight { clients: self.clone(), client, is_upload })
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut counts = self.clients.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.all -= 1;
        counts.uploads -= u64::from(self.is_upload);
        if let Some(count) = counts.by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.by_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_a_status_of_its_own() {
        let limits = Limits { in_flight: 3, per_client: 2, uploads: 1, ..Limits::default() };
        let (clients, client) = (Clients::default(), |name: &str| Client::Key(name.to_owned()));
        let first = clients.enter(client("a"), true, &limits).unwrap();
        let refused = clients.enter(client("b"), true, &limits).unwrap_err();
        assert_eq!((refused.status(), refused.limit.as_deref()), (503, Some("uploads")));
        let _second = clients.enter(client("a"), false, &limits).unwrap();
        let refused = clients.enter(client("a"), false, &limits).unwrap_err();
        assert_eq!((refused.status(), refused.limit.as_deref()), (429, Some("per-client")));
        let _third = clients.enter(client("b"), false, &limits).unwrap();
        let refused = clients.enter(client("c"), false, &limits).unwrap_err();
        assert_eq!((refused.status(), refused.limit.as_deref()), (503, Some("in-flight")));
        drop(first);
        assert!(clients.enter(client("c"), true, &limits).is_ok());
    }
}
