//! nginx with one worker, as a server of static files, and with nchan as a server of streams. Its
//! configuration is in the folder of the run; the machine's configuration is not used.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::fs::MetadataExt,
    path::Path,
    time::Duration,
};

use anyhow::{Result, bail};
use tokio::{net::TcpStream, process::Command, time};

use crate::{context::Context, process::Process};

/// Paths on Debian. The first is not in the PATH of all users.
const NGINX: &str = "/usr/sbin/nginx";
const NCHAN: &str = "/usr/lib/nginx/modules/ngx_nchan_module.so";

const MAX_CONNECTIONS: u64 = 65_536;

/// Serves the files of `folder`, all with one content type.
pub(crate) async fn files(context: &Context, folder: &Path, content_type: &str) -> Result<Process> {
    let location = format!(
        "types {{ }} default_type \"{content_type}\"; location / {{ root {}; }}",
        folder.display()
    );
    start(context, "", &location).await
}

/// Starts a server where `POST /publish` sends an event to all clients of `GET /stream`.
pub(crate) async fn nchan(context: &Context) -> Result<Process> {
    let locations = "
        location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 1; }
        location = /stream { nchan_subscriber eventsource; nchan_channel_id bench; }";
    start(context, &format!("load_module {NCHAN};"), locations).await
}

async fn start(context: &Context, module: &str, server: &str) -> Result<Process> {
    let folder = tempfile::tempdir_in(context.folder())?.keep();
    // Another process could take the port before nginx does, which is unlikely.
    let addr = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let configuration = configuration(&folder, module, server, addr)?;
    let file = folder.join("nginx.conf");
    std::fs::write(&file, configuration)?;
    let mut command = Command::new(NGINX);
    command.args(["-e", "stderr", "-p"]).arg(&folder).arg("-c").arg(&file);
    let process = Process::serving(command.spawn()?, addr);
    for _ in 0..100 {
        if TcpStream::connect(addr).await.is_ok() {
            return Ok(process);
        }
        time::sleep(Duration::from_millis(50)).await;
    }
    bail!("nginx does not serve, see what it said")
}

fn configuration(folder: &Path, module: &str, server: &str, addr: SocketAddr) -> Result<String> {
    // If started by root, nginx would switch to a user who may not read the folder.
    let user = if std::fs::metadata("/proc/self")?.uid() == 0 { "user root;" } else { "" };
    // nginx reserves memory for the maximum number of connections.
    let files = rlimit::Resource::NOFILE.get_soft()?.min(MAX_CONNECTIONS);
    let folder = folder.display();
    Ok(format!(
        "{user} {module}
        daemon off; worker_processes 1; worker_rlimit_nofile {files};
        pid {folder}/pid; error_log stderr error;
        events {{ worker_connections {files}; }}
        http {{
            access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on;
            client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
            scgi_temp_path {folder}/scgi;
            server {{ listen {addr} backlog=4096; {server} }}
        }}\n"
    ))
}
