//! TLS to the server, according to `sslmode` and `sslrootcert`.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use scratch::postgres::Server;
use store::{Missing, open_url};

use super::publish;

/// Certificate of a new authority, and a certificate for `localhost` with its key, as PEM.
fn certificates() -> (String, String, String) {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::<String>::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.distinguished_name.push(DnType::CommonName, "Test authority");
    let root = authority.self_signed(&authority_key).unwrap().pem();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let names = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = names.signed_by(&key, &issuer).unwrap().pem();
    (root, certificate, key.serialize_pem())
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_verified_as_far_as_the_url_says() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (root, certificate, key) = certificates();
    let server = Server::start_with_tls(&certificate, &key);
    server.create_named("svc", None);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("root.pem");
    std::fs::write(&file, root).unwrap();
    let (port, root) = (server.address().port(), format!("sslrootcert={}", file.display()));
    let open = async |host: &str, parameters: &str| {
        let url = format!("postgres://svc@{host}:{port}/svc?{parameters}");
        open_url(&url, Missing::Create).await
    };
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                     WHERE ssl AND datname = 'svc'";
    for (host, parameters) in [
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&{root}")),
        ("localhost", format!("sslmode=verify-full&{root}")),
        ("localhost,localhost", format!("sslmode=verify-full&{root}&port={port}")),
    ] {
        let store = open(host, &parameters).await.unwrap();
        publish(&store, &format!("{host} {}", parameters.len()), "Recife").await;
        assert_ne!(server.ask(encrypted), "0", "{parameters}");
        store.close().await;
    }
    for (host, parameters) in [
        // The certificate has no public authority, or is for another name.
        ("localhost", "sslmode=verify-full".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-full&{root}")),
    ] {
        let refused = open(host, &parameters).await.unwrap_err().to_string();
        assert!(refused.contains("certificate"), "{refused}");
    }
    let plain = open("127.0.0.1", "sslmode=disable").await.unwrap();
    plain.close().await;
}
