//! `svc serve` with a mail server.

use std::{process::Stdio, sync::Arc};

use rcgen::generate_simple_self_signed;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

use crate::{harness::Svc, served::Served, smtp_server::SmtpServer};

#[tokio::test]
async fn mails_are_sent_after_starttls_with_the_password_which_no_log_contains() {
    let pair = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pair.signing_key.serialize_der()));
    let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![pair.cert.der().clone()], key)
        .unwrap();
    let server = SmtpServer::start(Some(TlsAcceptor::from(Arc::new(tls)))).await;
    let svc = Svc::migrated();
    std::fs::write(svc.path("mail.pem"), pair.cert.pem()).unwrap();
    svc.import("id,type,city,country\na,spirit,Oslo,Norway\n", &[]);
    let port = server.address.port();
    let log = std::fs::File::create(svc.path("log")).unwrap();
    let arguments = ["serve", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0", "--log=debug"];
    let mut command = svc.command(&arguments);
    command
        .env("SSL_CERT_FILE", svc.path("mail.pem"))
        .env(
            "SVC_SMTP_URL",
            format!("smtp://ada%40example.org:pass%2Fword@localhost:{port}?tls=required"),
        )
        .env("SVC_MAIL_FROM", "svc@example.org")
        .env("SVC_MAIL_TO", "ada@example.org,bob@example.org")
        .env("SVC_DESK_URL", "https://desk.example.org/desk")
        .stderr(Stdio::from(log));
    let served = Served::of(command).unwrap();
    server.until(1).await;
    let mail = server.mails().remove(0);
    assert!(mail.is_encrypted);
    assert_eq!(mail.login, Some(("ada@example.org".to_owned(), "pass/word".to_owned())));
    assert_eq!(mail.to, ["ada@example.org", "bob@example.org"]);
    assert!(mail.text.contains("Subject: 1 report is pending\r\n"), "{}", mail.text);
    assert!(mail.text.contains("https://desk.example.org/desk"), "{}", mail.text);
    drop(served);
    let log = std::fs::read_to_string(svc.path("log")).unwrap();
    assert!(!log.contains("pass/word") && !log.contains("pass%2Fword"), "{log}");
}

#[test]
fn a_server_without_a_sender_and_addresses_that_are_none_are_refused() {
    let svc = Svc::migrated();
    for (flags, said) in [
        (&["--smtp-url=smtps://mail.example.org"][..], "--mail-from <ADDRESS>"),
        (
            &[
                "--smtp-url=smtps://ada:hidden@mail.example.org/x",
                "--mail-from=a@example.org",
                "--mail-to=b@example.org",
            ],
            "write it as smtps://USER:PASSWORD@HOST",
        ),
        (
            &["--mail-to=ada@example.org,bob"],
            "write it as ada@example.org or Ada <ada@example.org>",
        ),
        (&["--mail-hours=0"], "0 is not in 1..=8760"),
        (&["--desk-url=ftp://desk.example.org"], "write a URL"),
    ] {
        let ran = svc.run(&[&["config"], flags].concat());
        assert_eq!(ran.code, Some(2), "{flags:?}");
        assert!(ran.err.contains(said) && !ran.err.contains("hidden"), "{}", ran.err);
    }
    svc.out(&["config", "--smtp-url=smtps://mail.example.org", "--mail-from=a@example.org"]);
    let shown = svc.out(&[
        "config",
        "--smtp-url=smtps://ada:hidden@mail.example.org",
        "--mail-from=Water <svc@example.org>",
        "--mail-to=ada@example.org,bob@example.org",
    ]);
    for part in [
        "smtps://ada:…@mail.example.org",
        "Water <svc@example.org>",
        "ada@example.org,bob@example.org",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}
