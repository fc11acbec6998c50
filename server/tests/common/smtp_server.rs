//! SMTP servers on this machine, for mails that the service sends.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

use crate::harness::soon;

/// Reaction of a server to mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    Accept,
    /// Refuses recipients.
    Refuse,
    /// Closes the connection after it has got a whole mail.
    Vanish,
}

/// Mail that a server has got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mail {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and body as they were sent.
    pub text: String,
    /// User and password, if the client sent any.
    pub login: Option<(String, String)>,
    pub is_encrypted: bool,
}

/// Server on its own port. Dropping the value closes it and its connections.
pub(crate) struct SmtpServer {
    pub address: SocketAddr,
    seen: Arc<Seen>,
    listening: JoinHandle<()>,
}

struct Seen {
    reaction: Mutex<Reaction>,
    mails: Mutex<Vec<Mail>>,
    count: watch::Sender<usize>,
    /// For the command STARTTLS, without which nothing is accepted.
    tls: Option<TlsAcceptor>,
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl SmtpServer {
    pub(crate) async fn start(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen {
            reaction: Mutex::new(Reaction::Accept),
            mails: Mutex::default(),
            count: watch::Sender::new(0),
            tls,
        });
        let listening = tokio::spawn(listen(listener, seen.clone()));
        Self { address, seen, listening }
    }

    pub(crate) fn react(&self, reaction: Reaction) {
        *self.seen.reaction.lock().unwrap() = reaction;
    }

    /// All mails received so far.
    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.seen.mails.lock().unwrap().clone()
    }

    /// Waits until this many mails were received.
    pub(crate) async fn until(&self, count: usize) {
        let mut seen = self.seen.count.subscribe();
        soon("a mail", seen.wait_for(|now| *now >= count)).await.unwrap();
    }
}

async fn listen(listener: TcpListener, seen: Arc<Seen>) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let seen = seen.clone();
        // A client may close the connection at any time.
        connections.spawn(async move { serve(stream, &seen).await.unwrap_or_default() });
    }
}

async fn serve(stream: TcpStream, seen: &Seen) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 localhost ESMTP\r\n").await?;
    if converse(&mut stream, seen, false).await? == Ended::StartTls
        && let Some(tls) = &seen.tls
    {
        let mut stream = BufReader::new(tls.accept(stream.into_inner()).await?);
        converse(&mut stream, seen, true).await?;
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Ended {
    Quit,
    StartTls,
}

async fn converse<S>(stream: &mut S, seen: &Seen, is_encrypted: bool) -> std::io::Result<Ended>
where
    S: AsyncBufReadExt + AsyncRead + AsyncWrite + Unpin,
{
    let (mut mail, mut line) = (Mail { is_encrypted, ..Mail::default() }, String::new());
    let must_encrypt = seen.tls.is_some() && !is_encrypted;
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(Ended::Quit);
        }
        let command = line.trim_end();
        let (verb, argument) = command.split_once(' ').unwrap_or((command, ""));
        let reaction = *seen.reaction.lock().unwrap();
        let reply = match verb.to_ascii_uppercase().as_str() {
            "EHLO" if must_encrypt => "250-localhost\r\n250 STARTTLS",
            "EHLO" => "250-localhost\r\n250-8BITMIME\r\n250 AUTH PLAIN",
            "STARTTLS" if must_encrypt => {
                stream.write_all(b"220 go ahead\r\n").await?;
                return Ok(Ended::StartTls);
            }
            "NOOP" | "RSET" => "250 ok",
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await?;
                return Ok(Ended::Quit);
            }
            _ if must_encrypt => "530 STARTTLS first",
            "AUTH" => {
                let token = argument.strip_prefix("PLAIN ").unwrap();
                let token = String::from_utf8(BASE64_STANDARD.decode(token).unwrap()).unwrap();
                let mut parts = token.split('\0').skip(1).map(str::to_owned);
                mail.login = parts.next().zip(parts.next());
                "235 welcome"
            }
            "MAIL" => {
                mail.from = address(argument);
                "250 ok"
            }
            "RCPT" if reaction == Reaction::Refuse => "550 5.1.1 no such mailbox here",
            "RCPT" => {
                mail.to.push(address(argument));
                "250 ok"
            }
            "DATA" => {
                stream.write_all(b"354 send it\r\n").await?;
                mail.text = content(stream).await?;
                seen.mails.lock().unwrap().push(mail.clone());
                seen.count.send_modify(|count| *count += 1);
                if reaction == Reaction::Vanish {
                    return Ok(Ended::Quit);
                }
                "250 queued"
            }
            _ => "502 unknown",
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
}

/// Address between angle brackets.
fn address(argument: &str) -> String {
    argument.split(['<', '>']).nth(1).unwrap().to_owned()
}

/// Reads up to the line with a single dot.
async fn content<S: AsyncBufReadExt + Unpin>(stream: &mut S) -> std::io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 || line == ".\r\n" {
            return Ok(text);
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
