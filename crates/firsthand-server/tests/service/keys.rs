//! Who may ask for what: hosts, origins, keys and scopes.

use super::client::*;
use serde_json::json;

#[test]
fn only_its_own_names_are_answered() {
    let service = Setup { hosts: vec!["News.example".to_owned()], ..Setup::default() }.start();
    let port = service.address.port();
    let get =
        |host: &str| service.send(&format!("GET /v1/version HTTP/1.1\r\nhost: {host}"), b"").status;
    for host in [
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "[::1]",
        "news.example",
        &format!("localhost:{port}"),
    ] {
        assert_eq!(get(host), 200, "{host}");
    }
    for host in
        ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "news.example.evil"]
    {
        let response = service.send(&format!("GET /livez HTTP/1.1\r\nhost: {host}"), b"");
        assert_eq!(response.problem(), (403, "host".to_owned()), "{host}");
    }
    for head in [
        "GET /livez HTTP/1.1\r\nx: y",
        "GET /livez HTTP/1.1\r\nhost: a b",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\nhost: evil.example",
    ] {
        assert_eq!(service.send(head, b"").problem(), (400, "bad-request".to_owned()), "{head}");
    }
}

#[test]
fn pages_of_other_sites_are_refused() {
    let service = service();
    let port = service.address.port();
    let post = |more: &str| {
        let head = format!(
            "POST /v1/check HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/x-ndjson{more}"
        );
        service.send(&head, &lines(&[document(1)]))
    };
    assert_eq!(post("").status, 200);
    assert_eq!(post("\r\nsec-fetch-site: same-origin").status, 200);
    assert_eq!(post(&format!("\r\norigin: http://localhost:{port}")).status, 200);
    let refused = [
        "\r\nsec-fetch-site: cross-site".to_owned(),
        "\r\nsec-fetch-site: same-site".to_owned(),
        "\r\norigin: http://evil.example".to_owned(),
        "\r\norigin: null".to_owned(),
        format!("\r\norigin: http://localhost:{}", port ^ 1),
        format!("\r\norigin: http://127.0.0.1:{port}"),
    ];
    for more in refused {
        assert_eq!(post(&more).problem(), (403, "cross-site".to_owned()), "{more}");
    }
    let read = "GET /v1/clusters HTTP/1.1\r\nhost: localhost\r\norigin: http://evil.example";
    assert_eq!(service.send(read, b"").problem(), (403, "cross-site".to_owned()));
    let page = service.get("/v1/version");
    assert!(
        page.headers["content-security-policy"]
            .starts_with("default-src 'self'; frame-ancestors 'none'")
    );
    assert_eq!(page.headers["x-content-type-options"], "nosniff");
    assert!(!page.headers.contains_key("access-control-allow-origin"));
}

#[test]
fn each_key_allows_what_its_scopes_say() {
    let names = ["read", "check", "write", "review", "admin"];
    let keys: String =
        names.iter().map(|name| format!("{name} {name} key-of-{name}-0123456789\n")).collect();
    let service = Setup { keys, ..Setup::default() }.start();
    // Who may: read, check, write, review, admin.
    let table = [
        ("GET", "/v1/documents/x", [true, false, false, false, true]),
        ("GET", "/v1/documents?url=x", [true, false, false, false, true]),
        ("GET", "/v1/clusters", [true, false, false, false, true]),
        ("GET", "/v1/clusters/x", [true, false, false, false, true]),
        ("GET", "/v1/clusters/x/diff", [true, false, false, false, true]),
        ("GET", "/v1/explain?a=x&b=y", [true, false, false, false, true]),
        ("GET", "/v1/export", [true, false, false, false, true]),
        ("GET", "/v1/settings", [true, false, false, false, true]),
        ("GET", "/v1/version", [true, false, false, false, true]),
        ("GET", "/metrics", [true, false, false, false, true]),
        ("POST", "/v1/check", [false, true, false, false, true]),
        ("POST", "/v1/compare", [false, true, false, false, true]),
        ("POST", "/v1/extract", [false, true, false, false, true]),
        ("POST", "/v1/documents", [false, false, true, false, true]),
        ("POST", "/v1/review/actions", [false, false, false, true, true]),
        ("DELETE", "/v1/documents/x", [false, false, false, false, true]),
        ("GET", "/livez", [true; 5]),
        ("GET", "/readyz", [true; 5]),
        ("GET", "/openapi.json", [true; 5]),
    ];
    for (method, path, allowed) in table {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost");
        for (name, is_allowed) in names.iter().zip(allowed) {
            let response = service
                .send(&format!("{head}\r\nauthorization: Bearer key-of-{name}-0123456789"), b"");
            let is_scope = response.status == 403 && response.json()["code"] == "scope";
            assert_eq!(!is_scope, is_allowed, "{method} {path} {name}: {}", response.text());
        }
        let is_probe = allowed == [true; 5];
        for more in [
            "",
            "\r\nauthorization: Bearer key-of-nobody-0123456789",
            "\r\nauthorization: Digest x",
        ] {
            let response = service.send(&format!("{head}{more}"), b"");
            match is_probe {
                true => assert_eq!(response.status, 200, "{path}"),
                false => assert_eq!(response.problem(), (401, "unauthorized".to_owned()), "{path}"),
            }
        }
    }
    // As a browser sends a key: with a name.
    let basic = "GET /v1/version HTTP/1.1\r\nhost: localhost\r\nauthorization: Basic QWRhOmtleS1vZi1yZWFkLTAxMjM0NTY3ODk=";
    assert_eq!(service.send(basic, b"").status, 200);
}

#[test]
fn without_keys_nobody_else_can_reach_the_service() {
    let listener = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    let settings = firsthand_server::ServerSettings {
        content: content("memory:".to_owned(), false),
        limits: Default::default(),
        keys: Default::default(),
        hosts: Vec::new(),
        tls: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused =
        runtime.block_on(firsthand_server::run(listener, settings, async {})).unwrap_err();
    assert!(
        refused.to_string().starts_with("without keys the service listens on the loopback"),
        "{refused}"
    );
}

#[test]
fn a_key_is_in_no_answer_and_ids_of_requests_come_back() {
    let service =
        Setup { keys: "a read a-secret-key-0123456789".to_owned(), ..Setup::default() }.start();
    let head = "GET /v1/documents/x HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer a-secret-key-0123456789";
    let response = service.send(&format!("{head}\r\nx-request-id: mine-1"), b"");
    assert_eq!(response.headers["x-request-id"], "mine-1");
    assert!(!response.text().contains("secret"));
    let made = service.send(&format!("{head}\r\nx-request-id: not mine"), b"");
    assert_ne!(made.headers["x-request-id"], "not mine");
    assert_eq!(service.get("/v1/version").json()["code"], json!("unauthorized"));
}
