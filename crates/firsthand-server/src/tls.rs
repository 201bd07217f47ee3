//! TLS by a certificate and a key in PEM files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// A certificate chain and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificates, the service's own first, as PEM.
    pub certificate: PathBuf,
    /// The private key, as PEM.
    pub key: PathBuf,
}

/// Why a certificate or key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file that holds none.
    #[error("{path} holds no {what} in PEM form: {reason}", path = .path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
        /// Why it does not.
        reason: String,
    },
    /// They do not fit.
    #[error("the certificate and the key cannot be used: {0}")]
    Unfit(rustls::Error),
}

/// Shakes hands with clients.
#[derive(Clone)]
pub(crate) struct Tls(TlsAcceptor);

impl Tls {
    pub(crate) fn new(files: &TlsFiles) -> Result<Self, TlsError> {
        let unread = |path: &Path, what, reason: String| TlsError::Unread {
            path: path.to_owned(),
            what,
            reason,
        };
        let path = &files.certificate;
        let chain = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
        let chain: Vec<_> =
            chain.map_err(|error| unread(path, "certificate", error.to_string()))?;
        if chain.is_empty() {
            return Err(unread(path, "certificate", "nothing was found".to_owned()));
        }
        let key = PrivateKeyDer::from_pem_file(&files.key)
            .map_err(|error| unread(&files.key, "private key", error.to_string()))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Unfit)?;
        let mut config =
            config.with_no_client_auth().with_single_cert(chain, key).map_err(TlsError::Unfit)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(crate) async fn accept(&self, socket: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.0.accept(socket).await
    }
}
