//! A service on a free port, and a client that says exactly what it is told.

use firsthand_jobs::store::{StoreRequest, open};
use firsthand_jobs::{Layers, Unobserved};
use firsthand_server::{Content, Keys, Limits, RunError, ServerSettings, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a test waits for an answer before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A service that runs until it is dropped.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), RunError>>>,
}

/// How a service is set up.
pub(crate) struct Setup {
    pub(crate) store: String,
    pub(crate) limits: Limits,
    pub(crate) keys: String,
    pub(crate) hosts: Vec<String>,
    pub(crate) keep_text: bool,
    pub(crate) tls: Option<firsthand_server::TlsFiles>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            store: "memory:".to_owned(),
            // Tests may run on a disk that is nearly full.
            limits: Limits { disk: 1, ..Limits::default() },
            keys: String::new(),
            hosts: Vec::new(),
            keep_text: false,
            tls: None,
        }
    }
}

impl Setup {
    pub(crate) fn start(self) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let settings = ServerSettings {
            content: content(self.store, self.keep_text),
            limits: self.limits,
            keys: Keys::parse(&self.keys).unwrap(),
            hosts: self.hosts,
            tls: self.tls,
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            let ended = runtime.block_on(run(listener, settings, async {
                let _ = stopped.await;
            }));
            runtime.shutdown_timeout(Duration::from_secs(1));
            ended
        });
        Service { address, stop: Some(stop), thread: Some(thread) }
    }
}

/// A store to be served.
pub(crate) fn content(address: String, keep_text: bool) -> Content {
    let layers = Layers { profile: Some("feed".to_owned()), ..Layers::default() };
    let request = StoreRequest { address, layers, writable: true, ..StoreRequest::default() };
    Content::Store { store: open(request, &Unobserved::default()).unwrap(), keep_text }
}

/// A service in memory with the default settings.
pub(crate) fn service() -> Service {
    Setup::default().start()
}

impl Service {
    pub(crate) fn connect(&self) -> Client {
        let socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.set_write_timeout(Some(PATIENCE)).unwrap();
        Client { reader: BufReader::new(socket.try_clone().unwrap()), socket }
    }

    /// Sends a request with a body on a connection of its own.
    pub(crate) fn send(&self, head: &str, body: &[u8]) -> Response {
        let mut client = self.connect();
        client.request(head, body);
        client.response()
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: localhost"), b"")
    }

    pub(crate) fn post(&self, path: &str, kind: &str, body: &[u8]) -> Response {
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}");
        self.send(&head, body)
    }

    /// Sends documents as lines, and returns the answers.
    pub(crate) fn add(&self, documents: &[Value]) -> Vec<Value> {
        let response = self.post("/v1/documents", NDJSON, &lines(documents));
        assert_eq!(response.status, 200, "{}", response.text());
        response.lines()
    }

    /// Asks the service to stop, without waiting.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits for the end.
    pub(crate) fn end(mut self) -> Result<(), RunError> {
        self.stop();
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) const NDJSON: &str = "application/x-ndjson";

/// A connection.
pub(crate) struct Client {
    pub(crate) socket: TcpStream,
    pub(crate) reader: BufReader<TcpStream>,
}

impl Client {
    /// Sends a request whole; `head` has no line end at its end.
    pub(crate) fn request(&mut self, head: &str, body: &[u8]) {
        let length = match body.is_empty() && head.starts_with("GET") {
            true => String::new(),
            false => format!("\r\ncontent-length: {}", body.len()),
        };
        // The service may refuse and close before everything is sent.
        let _ = self.socket.write_all(format!("{head}{length}\r\n\r\n").as_bytes());
        let _ = self.socket.write_all(body);
    }

    /// Begins a request whose body comes in chunks.
    pub(crate) fn begin(&mut self, head: &str) {
        let head = format!("{head}\r\ntransfer-encoding: chunked\r\n\r\n");
        self.socket.write_all(head.as_bytes()).unwrap();
    }

    /// Sends a chunk; false if the service takes no more.
    pub(crate) fn chunk(&mut self, bytes: &[u8]) -> bool {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.socket.write_all(&chunk).is_ok()
    }

    /// Ends a body of chunks.
    pub(crate) fn end(&mut self) {
        let _ = self.socket.write_all(b"0\r\n\r\n");
    }

    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end().to_owned()),
        }
    }

    /// The head of a response.
    pub(crate) fn head(&mut self) -> Option<(u16, BTreeMap<String, String>)> {
        let status = self.line()?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = BTreeMap::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        Some((status, headers))
    }

    /// The next chunk of a body; none at its end.
    pub(crate) fn next_chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line()?, 16).ok()?;
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk).ok()?;
        chunk.truncate(length);
        Some(chunk).filter(|chunk| !chunk.is_empty())
    }

    /// A whole response; status 0 if the connection was closed instead.
    pub(crate) fn response(&mut self) -> Response {
        let Some((status, headers)) = self.head() else {
            return Response { status: 0, headers: BTreeMap::new(), body: Vec::new() };
        };
        let mut body = Vec::new();
        match headers.get("content-length") {
            Some(length) => {
                body.resize(length.parse().unwrap(), 0);
                self.reader.read_exact(&mut body).unwrap();
            }
            None => {
                while let Some(chunk) = self.next_chunk() {
                    body.extend(chunk);
                }
            }
        }
        Response { status, headers, body }
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The status, and the code of a problem; checks that it is a problem document.
    pub(crate) fn problem(&self) -> (u16, String) {
        let json = self.json();
        assert_eq!(self.headers["content-type"], "application/problem+json", "{json}");
        assert_eq!(json["status"], self.status, "{json}");
        let code = json["code"].as_str().unwrap();
        assert_eq!(json["type"], format!("/problems/{code}"));
        assert!(json["title"].is_string());
        (self.status, code.to_owned())
    }
}

/// A document whose text is its own.
pub(crate) fn document(number: usize) -> Value {
    let words: Vec<String> = (0..40).map(|word| format!("word{}", number * 40 + word)).collect();
    json!({ "id": format!("d{number}"), "text": words.join(" ") })
}

/// The same text under another id.
pub(crate) fn copy_of(number: usize, id: &str) -> Value {
    json!({ "id": id, "text": document(number)["text"] })
}

pub(crate) fn lines(documents: &[Value]) -> Vec<u8> {
    documents.iter().map(|document| format!("{document}\n")).collect::<String>().into_bytes()
}
