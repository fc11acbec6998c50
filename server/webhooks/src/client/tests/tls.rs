//! Receivers behind TLS.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tokio_rustls::TlsAcceptor;

use super::*;

const NAME: &str = "hooks.example.org";

/// Certificate authority that the client trusts.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "An authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn client(&self) -> Client {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        Client::build(LENIENT, resolver(), PATIENT, roots).unwrap()
    }

    /// Receiver with a certificate of this authority.
    async fn receiver(&self, params: CertificateParams) -> Receiver<io::Result<Received>> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        serving(certificate, &key).await
    }
}

/// Receiver with this certificate.
async fn serving(certificate: rcgen::Certificate, key: &KeyPair) -> Receiver<io::Result<Received>> {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    Receiver::start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await?;
            let request = read_request(&mut stream).await?;
            stream.write_all(NO_BODY).await?;
            Ok(request)
        }
    })
    .await
}

fn certificate_for(name: &str) -> CertificateParams {
    CertificateParams::new([name.to_owned()]).unwrap()
}

fn url<T>(receiver: &Receiver<T>) -> String {
    format!("https://{NAME}:{}/hook", receiver.address.port())
}

#[tokio::test]
async fn a_receiver_with_a_trusted_certificate_gets_the_event() {
    let authority = Authority::new();
    let mut receiver = authority.receiver(certificate_for(NAME)).await;
    assert_eq!(post(&authority.client(), &url(&receiver)).await, answered(204));
    assert_eq!(receiver.end().await.unwrap().body, BODY);
}

#[tokio::test]
async fn a_self_signed_certificate_is_not_trusted() {
    let key = KeyPair::generate().unwrap();
    let certificate = certificate_for(NAME).self_signed(&key).unwrap();
    let mut receiver = serving(certificate, &key).await;
    let answer = post(&Authority::new().client(), &url(&receiver)).await;
    assert_eq!(answer, failed("TLS: the certificate is not trusted (its issuer is not known)"));
    receiver.end().await.unwrap_err();
}

#[tokio::test]
async fn whom_the_system_trusts_does_not_include_anybody() {
    let receiver = Authority::new().receiver(certificate_for(NAME)).await;
    let answer = post(&client(PATIENT), &url(&receiver)).await;
    assert_eq!(answer, failed("TLS: the certificate is not trusted (its issuer is not known)"));
}

#[tokio::test]
async fn a_certificate_for_another_name_or_time_is_not_trusted() {
    let authority = Authority::new();
    let mut expired = certificate_for(NAME);
    expired.not_before = date_time_ymd(2020, 1, 1);
    expired.not_after = date_time_ymd(2021, 1, 1);
    let mut early = certificate_for(NAME);
    early.not_before = date_time_ymd(4000, 1, 1);
    early.not_after = date_time_ymd(4001, 1, 1);
    for (params, why) in [
        (certificate_for("other.example.org"), "it is for another name"),
        (expired, "it has expired"),
        (early, "it is not valid yet"),
    ] {
        let mut receiver = authority.receiver(params).await;
        let answer = post(&authority.client(), &url(&receiver)).await;
        let reason = format!("TLS: the certificate is not trusted ({why})");
        assert_eq!(answer, failed(&reason));
        receiver.end().await.unwrap_err();
    }
}

#[tokio::test]
async fn what_does_not_speak_tls_is_called_that() {
    let client = Authority::new().client();
    for bytes in [
        &b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"[..],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        &[0x55; 300],
    ] {
        let receiver = Receiver::start(move |mut stream| async move {
            stream.write_all(bytes).await.unwrap();
            until_closed(&mut stream).await;
        })
        .await;
        let answer = post(&client, &url(&receiver)).await;
        assert_eq!(answer, failed("TLS: the server does not speak it"));
    }
}

#[tokio::test]
async fn a_handshake_that_the_receiver_breaks_off_is_called_that() {
    let client = Authority::new().client();
    // A fatal alert, number 40; then nothing at all.
    for (bytes, reason) in [
        (
            &[21, 3, 3, 0, 2, 2, 40][..],
            "TLS: the receiver broke off with the alert HandshakeFailure",
        ),
        (&[], "the connection was closed without a response"),
    ] {
        let receiver = Receiver::start(move |mut stream| async move {
            let mut hello = [0; 5];
            stream.read_exact(&mut hello).await.unwrap();
            let mut rest = vec![0; usize::from(u16::from_be_bytes([hello[3], hello[4]]))];
            stream.read_exact(&mut rest).await.unwrap();
            stream.write_all(bytes).await.unwrap();
        })
        .await;
        assert_eq!(post(&client, &url(&receiver)).await, failed(reason));
    }
}

#[tokio::test]
async fn http_that_is_sent_to_a_port_of_tls_is_answered_by_something_else() {
    let authority = Authority::new();
    let receiver = authority.receiver(certificate_for(NAME)).await;
    let url = format!("http://{NAME}:{}/", receiver.address.port());
    assert_eq!(post(&authority.client(), &url).await, failed("not HTTP/1.1"));
}

#[tokio::test]
async fn a_client_for_production_trusts_somebody() {
    Client::new(WebhookTargets::default(), Resolver::system()).unwrap();
    assert!(!trust::roots().is_empty());
}
