//! TLS without a proxy: versions 1.2 and 1.3, for HTTP/2 and HTTP/1.1.
//!
//! Certificates are renewed every few weeks while the service runs, so their files are looked at again
//! and again. What changes is the certificate alone: sessions that clients resume go on.

use std::{fmt, io, path::Path, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use crate::{clock::Clock, config::TlsFiles};

/// How often the files are looked at.
pub const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How long a client may take until it is agreed how to encrypt.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Most wanted first. A client that names neither gets HTTP/1.1, or what it begins to speak.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    #[error("{flag} {path} cannot be read: {source}")]
    Unreadable { flag: &'static str, path: String, source: io::Error },
    #[error(
        "--tls-cert {0} contains no certificate: give a PEM file with the certificate of this host \
         first, and then those of its issuers"
    )]
    NoCertificate(String),
    #[error(
        "--tls-key {0} contains no private key: give a PEM file with a key that no passphrase protects"
    )]
    NoKey(String),
    #[error(
        "--tls-key {key} does not belong to --tls-cert {cert}: give the key that the certificate was \
         made for, and the certificate of this host as the first of its file"
    )]
    Mismatch { cert: String, key: String },
    #[error("--tls-cert {cert} and --tls-key {key} cannot be used: {source}")]
    Refused { cert: String, key: String, source: rustls::Error },
}

/// The server's side of TLS. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    files: TlsFiles,
    certificate: Arc<Certificate>,
    acceptor: TlsAcceptor,
    clock: Clock,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// The certificate at present.
#[derive(Debug)]
struct Certificate {
    current: ArcSwap<CertifiedKey>,
    provider: Arc<CryptoProvider>,
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

/// What the files contain.
#[derive(PartialEq, Eq)]
struct Contents {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl Tls {
    pub async fn load(files: TlsFiles, clock: Clock) -> Result<Self, Unusable> {
        let provider = Arc::new(ring::default_provider());
        let first = Contents::read(&files).await?.certificate(&files, &provider)?;
        let current = ArcSwap::from_pointee(first);
        let certificate = Arc::new(Certificate { current, provider: provider.clone() });
        let refused = |source| files.refused(source);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
        // What a client needs to resume its session is kept by the client, encrypted.
        config.ticketer = ring::Ticketer::new().map_err(refused)?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Self { files, certificate, acceptor, clock })
    }

    /// Agrees with a client on how to encrypt; `None` if that fails or takes too long.
    pub(super) async fn accept(&self, stream: TcpStream) -> Option<Box<TlsStream<TcpStream>>> {
        match tokio::time::timeout(HANDSHAKE, self.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => Some(Box::new(stream)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a connection ended before TLS was agreed on");
                None
            }
            Err(_) => None,
        }
    }

    /// Takes over the certificate each time its files change. Never ends. While what is in the files
    /// cannot be used, the last certificate stays.
    pub async fn watch(&self) {
        // That of the first look is known. If it has changed meanwhile, nothing is lost by using it.
        let mut seen = Contents::read(&self.files).await.ok();
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            let contents = match Contents::read(&self.files).await {
                Ok(contents) if seen.as_ref() == Some(&contents) => continue,
                Ok(contents) => contents,
                Err(error) => {
                    if seen.take().is_some() {
                        tracing::error!(%error, "the certificate stays as it was");
                    }
                    continue;
                }
            };
            match contents.certificate(&self.files, &self.certificate.provider) {
                Ok(new) => {
                    self.certificate.current.store(Arc::new(new));
                    tracing::info!("the certificate was renewed from its files");
                }
                Err(error) => tracing::error!(%error, "the certificate stays as it was"),
            }
            seen = Some(contents);
        }
    }
}

impl Contents {
    async fn read(files: &TlsFiles) -> Result<Self, Unusable> {
        let read = async |flag, path: &Path| {
            tokio::fs::read(path).await.map_err(|source| Unusable::Unreadable {
                flag,
                path: named(path),
                source,
            })
        };
        let cert = read("--tls-cert", &files.cert).await?;
        Ok(Self { cert, key: read("--tls-key", &files.key).await? })
    }

    fn certificate(
        &self,
        files: &TlsFiles,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, Unusable> {
        let TlsFiles { cert, key } = files;
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.cert)
            .collect::<Result<_, _>>()
            .map_err(|_| Unusable::NoCertificate(named(cert)))?;
        if chain.is_empty() {
            return Err(Unusable::NoCertificate(named(cert)));
        }
        let private =
            PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| Unusable::NoKey(named(key)))?;
        CertifiedKey::from_der(chain, private, provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                Unusable::Mismatch { cert: named(cert), key: named(key) }
            }
            error => files.refused(error),
        })
    }
}

impl TlsFiles {
    fn refused(&self, source: rustls::Error) -> Unusable {
        Unusable::Refused { cert: named(&self.cert), key: named(&self.key), source }
    }
}

fn named(path: &Path) -> String {
    path.display().to_string()
}
