//! Encrypted connections to the server, with `sslmode` and its companions as libpq has them.

use super::address::Parameters;
use std::{
    future::Future,
    io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream as RustlsStream,
    rustls::{
        CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore,
        SignatureScheme,
        client::{
            WebPkiServerVerifier,
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        },
        crypto::{CryptoProvider, ring},
        pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
    },
};

/// Whether a connection is encrypted, and what the server's certificate must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SslMode {
    Disable,
    /// Encrypted only if the server refuses a plain connection.
    Allow,
    /// Encrypted if the server can, plain otherwise.
    Prefer,
    /// Encrypted, with any certificate; as `VerifyCa` if there are root certificates.
    Require,
    /// Encrypted, with a certificate that a trusted authority has signed.
    VerifyCa,
    /// Encrypted, with a trusted certificate for the name of the host.
    VerifyFull,
}

/// The modes, by the names that libpq gives them.
const MODES: [(&str, SslMode); 6] = [
    ("disable", SslMode::Disable),
    ("allow", SslMode::Allow),
    ("prefer", SslMode::Prefer),
    ("require", SslMode::Require),
    ("verify-ca", SslMode::VerifyCa),
    ("verify-full", SslMode::VerifyFull),
];

/// How connections to a server are encrypted.
#[derive(Clone)]
pub(super) struct Tls {
    pub(super) mode: SslMode,
    config: Arc<ClientConfig>,
}

impl Tls {
    /// Reads the certificates that the parameters of an address name.
    pub(super) fn new(parameters: &Parameters) -> Result<Self, String> {
        let mode = match parameters.get("sslmode") {
            None => SslMode::Prefer,
            Some(name) => MODES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode).ok_or_else(|| {
                format!(
                    "{name:?} is not a mode of sslmode; use disable, allow, prefer, require, verify-ca or verify-full"
                )
            })?,
        };
        let provider = Arc::new(ring::default_provider());
        let verifier = verifier(mode, parameters, &provider)?;
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let config = match client_certificate(parameters)? {
            None => config.with_no_client_auth(),
            Some((chain, key)) => config.with_client_auth_cert(chain, key).map_err(|e| {
                format!("the certificate of sslcert and sslkey cannot be used: {e}")
            })?,
        };
        Ok(Self { mode, config: Arc::new(config) })
    }

    /// The ways to connect, in the order in which they are tried.
    pub(super) fn attempts(&self) -> &'static [tokio_postgres::config::SslMode] {
        use tokio_postgres::config::SslMode::{Disable, Prefer, Require};
        match self.mode {
            SslMode::Disable => &[Disable],
            SslMode::Allow => &[Disable, Require],
            SslMode::Prefer => &[Prefer, Disable],
            SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => &[Require],
        }
    }
}

/// What checks the certificate of the server in this mode.
fn verifier(
    mode: SslMode,
    parameters: &Parameters,
    provider: &Arc<CryptoProvider>,
) -> Result<CertificateCheck, String> {
    let required = matches!(mode, SslMode::VerifyCa | SslMode::VerifyFull);
    let wanted = required || mode == SslMode::Require;
    let trusted = match parameters.get("sslrootcert") {
        Some("system") if mode == SslMode::VerifyFull => Some(system_certificates()?),
        Some("system") => {
            return Err("sslrootcert=system needs sslmode=verify-full".to_owned());
        }
        Some(file) if wanted => Some(certificates(Path::new(file))?),
        None if wanted => match in_home("root.crt").filter(|file| file.exists()) {
            Some(file) => Some(certificates(&file)?),
            None if required => {
                return Err(
                    "sslmode=verify-ca and verify-full need the certificates to trust: name \
                            their file in sslrootcert, or use sslrootcert=system with verify-full"
                        .to_owned(),
                );
            }
            None => None,
        },
        _ => None,
    };
    let Some(trusted) = trusted else {
        return Ok(CertificateCheck {
            authorities: None,
            trusted: Vec::new(),
            with_name: false,
            provider: Arc::clone(provider),
        });
    };
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(trusted.iter().cloned());
    let authorities =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
            .build()
            .map_err(|e| format!("the certificates of sslrootcert cannot be used: {e}"))?;
    Ok(CertificateCheck {
        authorities: Some(authorities),
        trusted,
        with_name: mode == SslMode::VerifyFull,
        provider: Arc::clone(provider),
    })
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = || CertificateDer::pem_file_iter(file)?.collect::<Result<Vec<_>, _>>();
    match read() {
        Ok(certificates) if certificates.is_empty() => {
            Err(format!("{} holds no certificate in PEM format", file.display()))
        }
        Ok(certificates) => Ok(certificates),
        Err(e) => Err(format!("certificates cannot be read from {}: {e}", file.display())),
    }
}

fn system_certificates() -> Result<Vec<CertificateDer<'static>>, String> {
    let loaded = rustls_native_certs::load_native_certs();
    match loaded.certs.is_empty() {
        true => Err("this system has no certificates to trust (on Debian: package \
                     ca-certificates); name a file in sslrootcert"
            .to_owned()),
        false => Ok(loaded.certs),
    }
}

/// The certificate with which the client shows who it is.
#[allow(clippy::type_complexity)]
fn client_certificate(
    parameters: &Parameters,
) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, String> {
    let file = |name: &str, default: &str| match parameters.get(name) {
        Some(file) => Some(PathBuf::from(file)),
        None => in_home(default).filter(|file| file.exists()),
    };
    let Some(chain) = file("sslcert", "postgresql.crt") else { return Ok(None) };
    let Some(key) = file("sslkey", "postgresql.key") else {
        return Err("sslcert needs its private key: name its file in sslkey".to_owned());
    };
    let key = PrivateKeyDer::from_pem_file(&key)
        .map_err(|e| format!("no private key can be read from {}: {e}", key.display()))?;
    Ok(Some((certificates(&chain)?, key)))
}

/// A file in the folder in which libpq looks.
fn in_home(name: &str) -> Option<PathBuf> {
    Some(std::env::home_dir()?.join(".postgresql").join(name))
}

/// Checks the certificate of a server as the mode demands.
#[derive(Debug)]
struct CertificateCheck {
    /// None if any certificate will do.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    /// A server may show one of these themselves, signed by nobody else.
    trusted: Vec<CertificateDer<'static>>,
    /// Whether the certificate must be for the host.
    with_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for CertificateCheck {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authorities) = &self.authorities else {
            return Ok(ServerCertVerified::assertion());
        };
        let checked = authorities.verify_server_cert(certificate, intermediates, host, ocsp, now);
        match checked {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.with_name => Ok(ServerCertVerified::assertion()),
            // A certificate that signs itself counts as an authority there.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.trusted.iter().any(|trusted| trusted == certificate) =>
            {
                if self.with_name {
                    let parsed =
                        tokio_rustls::rustls::server::ParsedCertificate::try_from(certificate)?;
                    tokio_rustls::rustls::client::verify_server_name(&parsed, host)?;
                }
                Ok(ServerCertVerified::assertion())
            }
            checked => checked,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        tokio_rustls::rustls::crypto::verify_tls12_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        tokio_rustls::rustls::crypto::verify_tls13_signature(
            message,
            certificate,
            signature,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Handshake> {
        let host = match ServerName::try_from(host) {
            Ok(host) => Some(host.to_owned()),
            // A socket in a folder has no name, and is not encrypted.
            Err(_) if host.is_empty() => None,
            Err(e) => return Err(io::Error::new(io::ErrorKind::InvalidInput, e)),
        };
        Ok(Handshake { connector: TlsConnector::from(Arc::clone(&self.config)), host })
    }
}

/// A handshake that is yet to be made.
pub(super) struct Handshake {
    connector: TlsConnector,
    host: Option<ServerName<'static>>,
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let host = self.host.ok_or(io::ErrorKind::InvalidInput)?;
            Ok(Encrypted(Box::new(self.connector.connect(host, stream).await?)))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted<S>(Box<RustlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
