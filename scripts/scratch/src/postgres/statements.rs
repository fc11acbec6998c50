//! Statements run by the administrator of a server.

use std::{sync::mpsc, thread};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

/// Runs statements one after the other, on a separate thread, so that tests can use it in any
/// context.
#[derive(Clone, Debug)]
pub(super) struct Statements(mpsc::Sender<Statement>);

/// A statement, and the sender for its result if somebody waits for it.
type Statement = (String, Option<mpsc::Sender<sqlx::Result<String>>>);

impl Statements {
    /// Starts a thread with a connection to the database at this URL.
    pub(super) fn to(url: String) -> Self {
        let (statements, sent) = mpsc::channel();
        thread::spawn(move || run(&url, &sent));
        Self(statements)
    }

    /// Runs a statement. Returns the first value of its first row as text, or an empty text if
    /// there is none.
    pub(super) fn run(&self, statement: String) -> sqlx::Result<String> {
        let (done, end) = mpsc::channel();
        self.0.send((statement, Some(done))).unwrap();
        end.recv().unwrap()
    }

    /// Queues a statement without waiting for it.
    pub(super) fn send(&self, statement: String) {
        let _ = self.0.send((statement, None));
    }
}

fn run(url: &str, statements: &mpsc::Receiver<Statement>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut connection = None;
    while let Ok((statement, waiting)) = statements.recv() {
        let done = runtime.block_on(ask(&mut connection, url, statement));
        if let Some(waiting) = waiting {
            let _ = waiting.send(done);
        }
    }
}

async fn ask(
    connection: &mut Option<PgConnection>,
    url: &str,
    statement: String,
) -> sqlx::Result<String> {
    // The server may have been restarted.
    if let Some(open) = connection
        && open.ping().await.is_err()
    {
        *connection = None;
    }
    let open = match connection {
        Some(open) => open,
        None => connection.insert(PgConnection::connect(url).await?),
    };
    let row = sqlx::raw_sql(AssertSqlSafe(statement)).fetch_optional(open).await?;
    let value: Option<String> = row.map(|row| row.try_get_unchecked(0)).transpose()?.flatten();
    Ok(value.unwrap_or_default())
}
