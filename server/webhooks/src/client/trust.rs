use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer};

/// Which certificates are trusted, so that an operator's own authority counts once it is installed there
/// (or named in `SSL_CERT_FILE` or `SSL_CERT_DIR`, which the loader reads, as OpenSSL does).
/// They are read once in a process.
pub(super) fn roots() -> Arc<RootCertStore> {
    static ROOTS: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
        let system = rustls_native_certs::load_native_certs();
        for error in &system.errors {
            tracing::debug!(%error, "a system certificate could not be read");
        }
        Arc::new(store(system.certs))
    });
    Arc::clone(&ROOTS)
}

/// These, or Mozilla's list, which is in the binary, for a container without any.
fn store(certificates: Vec<CertificateDer<'static>>) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A system's list often has an old one or two that do not parse.
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        tracing::warn!("the system has no certificates: webhooks use the built-in list");
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// TLS 1.2 and 1.3 by ring, named here: which provider is the process's default depends on what
/// else is linked.
pub(super) fn tls(roots: impl Into<Arc<RootCertStore>>) -> Result<ClientConfig, rustls::Error> {
    let mut tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(tls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_list_is_for_a_system_without_certificates_only() {
        let key = rcgen::KeyPair::generate().unwrap();
        let own = rcgen::CertificateParams::default().self_signed(&key).unwrap();
        let (own, broken) = (own.der().clone(), CertificateDer::from(vec![1, 2, 3]));
        let built_in = webpki_roots::TLS_SERVER_ROOTS.len();
        assert_eq!(store(Vec::new()).len(), built_in);
        assert_eq!(store(vec![broken.clone()]).len(), built_in);
        assert_eq!(store(vec![broken, own]).len(), 1);
    }
}
