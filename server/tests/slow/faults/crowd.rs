//! All clients reconnect at once, as after a restart of a router or a proxy.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
};

use super::{ids, pending, serve};
use crate::harness::{Svc, http, soon};

const STREAMS: u32 = 5_000;
/// Number of streams per address, which stays within the rate limit of a minute.
const PER_ADDRESS: u32 = 10;
/// Additional memory permitted after the first wave, in KiB. The allocator keeps some.
const SLACK: u64 = 16 << 10;

/// Opens a stream as a browser reopens a lost one, and reads it up to its reports.
async fn come_back(target: SocketAddr, number: u32, after: u64) -> (TcpStream, String) {
    let [_, _, third, fourth] = (number / PER_ADDRESS + 2).to_be_bytes();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 2, third, fourth), 0).into()).unwrap();
    let mut stream = socket.connect(target).await.unwrap();
    let request = format!(
        "GET /api/v1/stream HTTP/1.1\r\nHost: svc.example.org\r\nAccept: text/event-stream\r\n\
         Last-Event-ID: {after}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let (mut read, mut buffer) = (Vec::new(), vec![0; 8 << 10]);
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        assert!(count > 0 && text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        if text.split("event: reports").nth(1).is_some_and(|reports| reports.contains("\n\n")) {
            return (stream, text.into_owned());
        }
    }
}

/// Resident memory of a process in KiB.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_that_come_back_at_once_get_what_is_current_in_memory_that_stays() {
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let svc = Svc::migrated();
    assert_eq!(svc.import(pending(10), &[]).code, Some(0));
    let scene = serve(&svc).await;
    let target: SocketAddr = scene.served.url.strip_prefix("http://").unwrap().parse().unwrap();
    let mut first = None;
    for wave in 1..=4 {
        assert_eq!(scene.approve(&ids(wave - 1..wave)).await.status, 200);
        let total = u64::try_from(wave).unwrap();
        scene.shows(total).await;
        let mut coming = JoinSet::new();
        for number in 0..STREAMS {
            coming.spawn(come_back(target, number, total - 1));
        }
        let open = soon("the streams", coming.join_all()).await;
        let current = format!("\"total\":{wave},");
        for (_, read) in &open {
            assert!(read.contains(&current), "{read}");
        }
        let with_all = memory(scene.served.child.id());
        let first = *first.get_or_insert(with_all);
        eprintln!("wave {wave}: {with_all} KiB");
        assert!(with_all <= first + SLACK, "{first} KiB, and {with_all} in wave {wave}");
        // All streams must be closed before the next wave, because streams per address are limited.
        drop(open);
        let gone = async {
            while open_streams(&scene.served.ops).await > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        soon("the end of the streams", gone).await;
    }
    scene.tells(4).await;
}

async fn open_streams(ops: &str) -> u64 {
    let metrics = http().get(format!("{ops}/metrics")).send().await.unwrap();
    let text = metrics.text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("svc_open_streams "));
    line.unwrap_or_else(|| panic!("{text}")).parse().unwrap()
}
