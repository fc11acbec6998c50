//! As many streams as should fit on one machine. Where the limit of open files of a process is lower, there are several
//! nodes on one database. The clients are in processes of their own, one for each node.

use std::{net::SocketAddr, process::Stdio, time::Duration};

use anyhow::{Context as _, Result, ensure};
use tokio::{
    io::{self, AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time,
};

use super::{TICK, TIMEOUT, crowd::Crowd, follow::Target};
use crate::{
    budget::{Budget, Unit, number},
    context::{Context, say},
    database::Database,
    process::Process,
    service,
    statistics::percentile,
    table::Row,
};

/// Open files of a process besides its streams.
const OTHER_FILES: u64 = 500;
/// Time in which all streams are opened: whole ticks, so that the ticks are spread evenly.
const OPENING: Duration = Duration::from_secs(25);
const LATENESS: f64 = 100.0;
/// Line of a follower when all of its streams are live.
const LIVE: &str = "live";

/// Follows many streams of one node, in a process of its own.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Followers {
    #[arg(long)]
    addr: SocketAddr,
    /// Number of the first stream, which decides about its source address
    #[arg(long)]
    first: u32,
    #[arg(long)]
    count: u32,
    #[arg(long)]
    seconds: u64,
}

impl Followers {
    /// Opens the streams and prints a line when all are live; measures after the next line of the input, and prints the
    /// delays of the ticks in milliseconds.
    pub(crate) async fn follow(self) -> Result<()> {
        rlimit::increase_nofile_limit(u64::MAX)?;
        let mut crowd = Crowd::from(Target::svc(self.addr), self.first);
        crowd.open(self.count, OPENING).await;
        crowd.all_live(TIMEOUT).await?;
        println!("{LIVE}");
        BufReader::new(io::stdin()).read_line(&mut String::new()).await?;
        // After one tick, delays caused by opening the streams are over.
        time::sleep(TICK).await;
        crowd.take_lateness();
        time::sleep(Duration::from_secs(self.seconds)).await;
        let lateness = crowd.take_lateness();
        let errors = crowd.errors();
        ensure!(errors.is_empty(), "streams failed: {errors:?}");
        let lines: Vec<String> = lateness.iter().map(f64::to_string).collect();
        io::stdout().write_all((lines.join("\n") + "\n").as_bytes()).await?;
        Ok(())
    }
}

/// A process that runs [`Followers`].
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(followers: &Followers) -> Result<Self> {
        let Followers { addr, first, count, seconds } = followers;
        let numbers = [u64::from(*first), u64::from(*count), *seconds].map(|it| it.to_string());
        let mut child = Command::new(std::env::current_exe()?)
            .args(["follow", "--addr", &addr.to_string(), "--first", &numbers[0]])
            .args(["--count", &numbers[1], "--seconds", &numbers[2]])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take().context("its input is not piped")?;
        let output = child.stdout.take().context("its output is not piped")?;
        Ok(Self { child, input, lines: BufReader::new(output).lines() })
    }

    async fn live(&mut self) -> Result<()> {
        let line = self.lines.next_line().await?;
        ensure!(line.as_deref() == Some(LIVE), "the streams could not be opened: {line:?}");
        Ok(())
    }

    async fn measure(&mut self) -> Result<()> {
        Ok(self.input.write_all(b"\n").await?)
    }

    /// Delays of the ticks, ms.
    async fn lateness(mut self) -> Result<Vec<f64>> {
        let mut lateness = Vec::new();
        while let Some(line) = self.lines.next_line().await? {
            lateness.push(line.parse()?);
        }
        let ended = self.child.wait().await?;
        ensure!(ended.success(), "followers failed: {ended}");
        Ok(lateness)
    }
}

/// Opens `--many-streams` streams, and measures their memory and the delays of their ticks.
pub(super) async fn measure(context: &Context, database: &Database) -> Result<Vec<Row>> {
    let count = context.sizes.many_streams;
    let limit = rlimit::Resource::NOFILE.get_soft()?;
    let shares = shares(count, limit.saturating_sub(OTHER_FILES).max(1));
    say(format!("{count} streams of {} nodes", shares.len()));
    let mut nodes: Vec<Process> = Vec::new();
    for _ in &shares {
        nodes.push(service::start(database, None).await?);
    }
    let resident = || nodes.iter().map(Process::resident).sum::<Result<f64>>();
    let before = resident()?;
    let mut running = Vec::new();
    for (node, (first, count)) in nodes.iter().zip(&shares) {
        let seconds = context.seconds(20);
        let followers = Followers { addr: node.addr, first: *first, count: *count, seconds };
        running.push(Running::start(&followers)?);
    }
    for followers in &mut running {
        followers.live().await?;
    }
    for followers in &mut running {
        followers.measure().await?;
    }
    // The followers end with their measurement.
    time::sleep(TICK).await;
    let memory = (resident()? - before) / f64::from(count);
    let mut lateness = Vec::new();
    for followers in running {
        lateness.extend(followers.lateness().await?);
    }
    for node in nodes {
        node.stop().await?;
    }
    let late = percentile(&lateness, 0.99);
    say(format!("{count} streams: {memory:.2} KiB each, late by {late:.1} ms at p99"));
    let (count, nodes) = (number(count.into()), shares.len());
    let of_nodes = if nodes == 1 { String::new() } else { format!(" of {nodes} nodes") };
    Ok(vec![
        Row::new(
            format!("lateness of ticks, {count} streams{of_nodes}, p99"),
            late,
            Unit::Milliseconds,
            Budget::AtMost(LATENESS),
        ),
        Row::new(
            format!("memory of each of {count} streams{of_nodes}"),
            memory,
            Unit::Kibibytes,
            Budget::AtMost(super::MEMORY),
        ),
    ])
}

/// First number and count of the streams of each node, of which none has more than `most`.
fn shares(count: u32, most: u64) -> Vec<(u32, u32)> {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let nodes = count.div_ceil(most).max(1);
    let bounds: Vec<u32> = (0..=nodes)
        .map(|node| (u64::from(count) * u64::from(node) / u64::from(nodes)) as u32)
        .collect();
    bounds.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_shared_among_as_few_nodes_as_possible() {
        assert_eq!(shares(50_000, 60_000), [(0, 50_000)]);
        assert_eq!(shares(50_000, 50_000), [(0, 50_000)]);
        assert_eq!(shares(50_000, 19_500), [(0, 16_666), (16_666, 16_667), (33_333, 16_667)]);
    }
}
