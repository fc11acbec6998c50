//! Test fixtures for a service with TLS, and clients that connect to it.

use std::{fs, sync::Arc};

use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::{
    ClientConfig, RootCertStore, SupportedProtocolVersion,
    crypto::ring,
    pki_types::{CertificateDer, ServerName},
    version,
};

use svc::config::{Serve, TlsFiles};

use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::harness::{Running, START, settings};

pub(super) const HOST: &str = "svc.example.org";

/// Files of a certificate and its key.
pub(super) struct Files {
    folder: TempDir,
}

impl Files {
    pub(super) fn new() -> (Self, CertificateDer<'static>) {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        let certificate = files.renew();
        (files, certificate)
    }

    pub(super) fn flags(&self) -> TlsFiles {
        let path = |name: &str| self.folder.path().join(name);
        TlsFiles { cert: path("fullchain.pem"), key: path("privkey.pem") }
    }

    /// Overwrites the files with a new certificate and key.
    pub(super) fn renew(&self) -> CertificateDer<'static> {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([HOST.to_owned()]).unwrap();
        let TlsFiles { cert: chain, key } = self.flags();
        fs::write(chain, cert.pem()).unwrap();
        fs::write(key, signing_key.serialize_pem()).unwrap();
        cert.der().clone()
    }

    /// Writes a chain of certificates that expire on the first day of these months. The key is that of the first.
    pub(super) fn write_chain(&self, expiries: &[(i32, u8)]) {
        let key = KeyPair::generate().unwrap();
        let certificate = |(year, month): &(i32, u8)| {
            let mut certificate = CertificateParams::new([HOST.to_owned()]).unwrap();
            certificate.not_after = date_time_ymd(*year, *month, 1);
            certificate.self_signed(&key).unwrap().pem()
        };
        let TlsFiles { cert: chain, key: file } = self.flags();
        fs::write(chain, expiries.iter().map(certificate).collect::<String>()).unwrap();
        fs::write(file, key.serialize_pem()).unwrap();
    }

    pub(super) async fn serve(&self, settings: Serve) -> Running {
        Running::with(Serve { tls: Some(self.flags()), ..settings }, START).await
    }
}

/// Starts a service with TLS, and returns its files and certificate.
pub(super) async fn secure() -> (Running, Files, CertificateDer<'static>) {
    let (files, certificate) = Files::new();
    (files.serve(settings()).await, files, certificate)
}

/// Connects a client that trusts this certificate and offers these protocols.
pub(super) async fn connect(
    running: &Running,
    certificate: &CertificateDer<'static>,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let versions = &[&version::TLS13, &version::TLS12];
    connect_with(running, certificate, protocols, versions).await
}

pub(super) async fn connect_with(
    running: &Running,
    certificate: &CertificateDer<'static>,
    protocols: &[&str],
    versions: &[&'static SupportedProtocolVersion],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(running.service.addr).await?;
    let name = ServerName::try_from(HOST).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}
