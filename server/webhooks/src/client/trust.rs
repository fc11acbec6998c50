use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer};

/// Trusted certificates: those of the system, so an operator's own authority is trusted once it is installed there
/// (or in `SSL_CERT_FILE` or `SSL_CERT_DIR`, which the loader reads, like OpenSSL). Read once per process.
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

/// Store of these certificates. If there are none, as in some containers, it uses Mozilla's built-in list.
fn store(certificates: Vec<CertificateDer<'static>>) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A system's list often has one or two old certificates that do not parse.
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        tracing::warn!("the system has no certificates: webhooks use the built-in list");
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// Settings for TLS 1.2 and 1.3 with ring. The provider is explicit, because the process's default depends on linked
/// features.
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
