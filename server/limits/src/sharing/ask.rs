use std::{io, pin::Pin};

use redis::{FromRedisValue, RedisError, RedisResult};
use tokio::time::timeout;

use super::{
    Sharing,
    scripts::{Argument, Script},
};

/// What Redis is asked: to run a script about a key.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) script: Script,
    pub(super) key: String,
    pub(super) arguments: Vec<Argument>,
}

/// A reply that is still to come.
pub(super) type Pending<T> = Pin<Box<dyn Future<Output = RedisResult<T>> + Send>>;

/// How asking went.
pub(super) enum Asked<T> {
    Answered(T),
    Failed,
    /// The reply did not come in time. It may still tell later what Redis did.
    Late(Pending<T>),
}

impl Sharing {
    /// Asks for a request, which waits no longer than its patience. If it is in vain, nobody waits any
    /// more until the watcher has looked.
    pub(super) async fn ask<T>(&self, question: Question) -> Asked<T>
    where
        T: FromRedisValue + Send + 'static,
    {
        let line = &self.0.line;
        let key = question.key.clone();
        let mut reply: Pending<T> = Box::pin(self.clone().reply(question));
        match timeout(self.0.target.patience, &mut reply).await {
            Ok(Ok(answer)) => Asked::Answered(answer),
            Ok(Err(error)) => {
                line.suspect(error.to_string(), &key);
                Asked::Failed
            }
            Err(_) => {
                line.suspect(self.no_reply(), &key);
                Asked::Late(reply)
            }
        }
    }

    /// Asks, however long it takes.
    pub(super) async fn reply<T: FromRedisValue>(self, question: Question) -> RedisResult<T> {
        let shared = &self.0;
        let connection = shared.line.connection();
        let mut connection = connection.ok_or_else(not_connected)?;
        let script = shared.scripts.get(question.script);
        script.run(&mut connection, &question.key, &shared.node, &question.arguments).await
    }

    pub(super) fn no_reply(&self) -> String {
        format!("no reply within {} ms", self.0.target.patience.as_millis())
    }
}

fn not_connected() -> RedisError {
    io::Error::from(io::ErrorKind::NotConnected).into()
}
