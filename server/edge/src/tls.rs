//! TLS without a proxy: versions 1.2 and 1.3, for HTTP/2 and HTTP/1.1.
//!
//! Certificates are renewed every few weeks while the service runs, so their files are polled. Only the certificate
//! is replaced: clients can still resume their sessions.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use base::clock::Clock;
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Notify,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// Interval at which the files are polled.
pub const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// Maximum time of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Protocols in order of preference. A client that names neither gets HTTP/1.1, or HTTP/2 if it sends the preface.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// PEM files of a certificate chain and its private key.
#[derive(Clone, Debug)]
pub struct Files {
    pub cert: PathBuf,
    pub key: PathBuf,
}

/// Reason for which the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    #[error("{what} {path} cannot be read: {reason}")]
    Unreadable { what: &'static str, path: String, reason: io::Error },
    #[error(
        "certificate {0} contains no certificate: give a PEM file with the certificate of this host \
         first, and then those of its issuers"
    )]
    NoCertificate(String),
    #[error(
        "key {0} contains no private key: give a PEM file with a key that no passphrase protects"
    )]
    NoKey(String),
    #[error(
        "key {key} does not belong to certificate {cert}: use the key of this certificate, and the certificate of this \
            host as the first of its file"
    )]
    Mismatch { cert: String, key: String },
    #[error("certificate {cert} and key {key} cannot be used: {reason}")]
    Refused { cert: String, key: String, reason: rustls::Error },
}

/// Server side of TLS. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    files: Files,
    /// Contents of the files at the start.
    loaded: Arc<Contents>,
    certificate: Arc<Certificate>,
    acceptor: TlsAcceptor,
    handshake: Duration,
    clock: Clock,
    asked: Arc<Notify>,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// Current certificate.
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

/// Contents of the files.
#[derive(PartialEq, Eq)]
struct Contents {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl Tls {
    pub async fn load(files: Files, clock: Clock) -> Result<Self, Unusable> {
        let provider = Arc::new(ring::default_provider());
        let loaded = Arc::new(Contents::read(&files).await?);
        let current = ArcSwap::from_pointee(loaded.certificate(&files, &provider)?);
        let certificate = Arc::new(Certificate { current, provider: provider.clone() });
        let refused = |reason| files.refused(reason);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
        // Clients keep the state of their sessions, encrypted.
        config.ticketer = ring::Ticketer::new().map_err(refused)?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Self {
            files,
            loaded,
            certificate,
            acceptor,
            handshake: HANDSHAKE,
            clock,
            asked: Arc::default(),
        })
    }

    /// Performs the handshake with a client; `None` if it fails or takes too long.
    pub(super) async fn accept<S>(&self, stream: S) -> Option<Box<TlsStream<S>>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        match tokio::time::timeout(self.handshake, self.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => Some(Box::new(stream)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a connection ended before TLS was agreed on");
                None
            }
            Err(_) => None,
        }
    }

    /// Whether the client agreed on HTTP/2.
    pub(super) fn is_http2<S>(stream: &TlsStream<S>) -> bool {
        stream.get_ref().1.alpn_protocol() == Some(PROTOCOLS[0])
    }

    /// Loads the certificate each time its files change. Never returns.
    pub async fn watch(&self) {
        let mut seen = Some(self.loaded.clone());
        loop {
            tokio::select! {
                () = self.clock.sleep(POLL_INTERVAL) => {}
                () = self.asked.notified() => {}
            }
            match self.reload_if_changed(&mut seen).await {
                Ok(false) => {}
                Ok(true) => tracing::info!("the certificate was renewed from its files"),
                Err(error) => {
                    tracing::error!(%error, "the certificate could not be renewed: the old one stays in use")
                }
            }
        }
    }

    /// Expiry of the certificate in use, or of the first issuer in the file to expire: Unix time in seconds.
    pub fn expires_at(&self) -> Option<i64> {
        let current = self.certificate.current.load();
        let expiry = |certificate: &CertificateDer<'_>| {
            let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
            Some(certificate.validity().not_after.timestamp())
        };
        current.cert.iter().filter_map(expiry).min()
    }

    /// Triggers a poll of the files now.
    pub fn reload_soon(&self) {
        self.asked.notify_one();
    }

    /// Loads the certificate if the files have changed since `seen`, and returns whether it did. If the new one cannot
    /// be used, the last one stays in use, and only the first poll returns an error.
    async fn reload_if_changed(&self, seen: &mut Option<Arc<Contents>>) -> Result<bool, Unusable> {
        let contents = match Contents::read(&self.files).await {
            Ok(contents) => Arc::new(contents),
            Err(error) => return if seen.take().is_some() { Err(error) } else { Ok(false) },
        };
        if seen.as_ref() == Some(&contents) {
            return Ok(false);
        }
        *seen = Some(contents.clone());
        let new = contents.certificate(&self.files, &self.certificate.provider)?;
        self.certificate.current.store(Arc::new(new));
        Ok(true)
    }
}

impl Contents {
    async fn read(files: &Files) -> Result<Self, Unusable> {
        let read = async |what, path: &Path| {
            tokio::fs::read(path).await.map_err(|reason| Unusable::Unreadable {
                what,
                path: named(path),
                reason,
            })
        };
        let cert = read("certificate", &files.cert).await?;
        Ok(Self { cert, key: read("key", &files.key).await? })
    }

    fn certificate(
        &self,
        files: &Files,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, Unusable> {
        let Files { cert, key } = files;
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

impl Files {
    fn refused(&self, reason: rustls::Error) -> Unusable {
        Unusable::Refused { cert: named(&self.cert), key: named(&self.key), reason }
    }
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
    use tempfile::TempDir;
    use tokio::io::AsyncReadExt;

    use super::*;

    fn pair() -> CertifiedKey<KeyPair> {
        generate_simple_self_signed(["svc.example.org".to_owned()]).unwrap()
    }

    struct Running {
        folder: TempDir,
        tls: Tls,
        seen: Option<Arc<Contents>>,
    }

    impl Running {
        async fn new(pair: &CertifiedKey<KeyPair>) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let [cert, key] = ["cert", "key"].map(|name| folder.path().join(name));
            fs::write(&cert, pair.cert.pem()).unwrap();
            fs::write(&key, pair.signing_key.serialize_pem()).unwrap();
            let clock = Clock::stepped(chrono::DateTime::UNIX_EPOCH);
            let tls = Tls::load(Files { cert, key }, clock).await.unwrap();
            let seen = Some(tls.loaded.clone());
            Self { folder, tls, seen }
        }

        fn write(&self, name: &str, text: impl AsRef<[u8]>) {
            fs::write(self.folder.path().join(name), text).unwrap();
        }

        async fn reload_if_changed(&mut self) -> Result<bool, String> {
            let found = self.tls.reload_if_changed(&mut self.seen).await;
            let folder = format!("{}/", self.folder.path().display());
            found.map_err(|error| error.to_string().replace(&folder, ""))
        }

        fn shows(&self, pair: &CertifiedKey<KeyPair>) -> bool {
            self.tls.certificate.current.load().cert == [pair.cert.der().clone()]
        }
    }

    #[tokio::test]
    async fn a_pair_that_cannot_be_used_is_said_once_and_leaves_the_last_in_use() {
        let (first, second) = (pair(), pair());
        let mut running = Running::new(&first).await;
        assert_eq!(running.reload_if_changed().await, Ok(false));
        fs::remove_file(running.folder.path().join("key")).unwrap();
        let said = running.reload_if_changed().await.unwrap_err();
        assert!(said.starts_with("key key cannot be read: "), "{said}");
        assert_eq!(running.reload_if_changed().await, Ok(false));
        running.write("key", "nonsense");
        assert!(running.reload_if_changed().await.unwrap_err().contains("contains no private key"));
        assert_eq!(running.reload_if_changed().await, Ok(false));
        running.write("key", second.signing_key.serialize_pem());
        assert!(running.reload_if_changed().await.unwrap_err().contains("does not belong to"));
        assert_eq!((running.reload_if_changed().await, running.shows(&first)), (Ok(false), true));
        running.write("cert", second.cert.pem());
        assert_eq!((running.reload_if_changed().await, running.shows(&second)), (Ok(true), true));
        assert_eq!(running.reload_if_changed().await, Ok(false));
    }

    #[tokio::test]
    async fn who_says_nothing_is_not_waited_for() {
        let mut tls = Running::new(&pair()).await.tls;
        tls.handshake = Duration::from_millis(20);
        let (mut client, stream) = tokio::io::duplex(1_024);
        assert!(tls.accept(stream).await.is_none());
        assert_eq!(client.read(&mut [0]).await.unwrap(), 0);
    }
}
