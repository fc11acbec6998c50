//! HAProxy with the configuration in the docs.

use std::{fs, net::SocketAddr, path::Path, process::Command};

use super::{
    Process, Proxy, certificate, free_addresses,
    nginx::{PAGE, replaced},
};

/// Starts HAProxy in front of two nodes.
pub(super) async fn start_balancing(nodes: [SocketAddr; 2]) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path());
    let [plain, secure] = free_addresses();
    let block = PAGE.split("```haproxy\n").nth(1).unwrap().split("```").next().unwrap();
    let configuration = [
        // The address occurs in both backends.
        ("10.0.0.11:3000", nodes[0].to_string()),
        ("10.0.0.12:3000", nodes[1].to_string()),
        ("bind :80\n", format!("bind {plain}\n")),
        ("bind :443 ", format!("bind {secure} ")),
        ("/etc/ssl/svc.example.org", folder.path().display().to_string()),
    ]
    .into_iter()
    .fold(block.to_owned(), |text, (from, to)| replaced(&text, from, &to));
    let file = folder.path().join("haproxy.cfg");
    fs::write(&file, configuration).unwrap();
    // Debian installs it in a folder that is only on root's `PATH`.
    let debian = Path::new("/usr/sbin/haproxy");
    let mut haproxy = Command::new(if debian.exists() { debian } else { Path::new("haproxy") });
    haproxy.arg("-f").arg(&file).arg("-db");
    Proxy {
        _process: Process::start(&mut haproxy, secure).await,
        plain,
        secure,
        certificate: certificate.pem,
        certificate_der: certificate.der,
        _folder: folder,
    }
}
