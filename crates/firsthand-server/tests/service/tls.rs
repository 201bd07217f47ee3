//! TLS by a certificate that is made for the test.

use super::client::*;
use firsthand_server::{Code, TlsFiles};
use std::process::Command;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};

fn certificate(folder: &std::path::Path) -> TlsFiles {
    let files = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&files.key)
        .arg("-out")
        .arg(&files.certificate)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    files
}

#[test]
fn a_client_that_trusts_the_certificate_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let files = certificate(folder.path());
    let service = Setup { tls: Some(files.clone()), ..Setup::default() }.start();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&files.certificate).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let socket = tokio::net::TcpStream::connect(service.address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let connector = TlsConnector::from(Arc::new(config));
        let mut socket = connector.connect(name, socket).await.unwrap();
        let request = b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        socket.write_all(request).await.unwrap();
        let mut answer = String::new();
        let _ = socket.read_to_string(&mut answer).await;
        answer
    });
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("ok\n"), "{answer}");
    // One that does not speak TLS gets nothing.
    assert_eq!(service.get("/livez").status, 0);
}

#[test]
fn files_that_hold_no_certificate_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let files = certificate(folder.path());
    let listener = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let swapped = TlsFiles { certificate: files.key.clone(), key: files.certificate.clone() };
    let missing = TlsFiles { key: folder.path().join("none.pem"), ..files };
    for (tls, says) in
        [(swapped, "holds no certificate"), (missing, "none.pem holds no private key")]
    {
        let settings = firsthand_server::ServerSettings {
            content: content("memory:".to_owned(), false),
            limits: Default::default(),
            keys: Default::default(),
            hosts: Vec::new(),
            tls: Some(tls),
        };
        let error =
            runtime.block_on(firsthand_server::run(listener(), settings, async {})).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn every_status_of_a_problem_is_an_error() {
    assert!(Code::ALL.iter().all(|code| (400..600).contains(&code.words().0)));
}
