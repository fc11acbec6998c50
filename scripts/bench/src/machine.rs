//! Description of the machine.

use std::fs;

use anyhow::{Context as _, Result};
use base::clock::Clock;
use tokio::process::Command;

use crate::process;

/// Lines of a list: machine, date, commit.
pub(crate) async fn described() -> Result<Vec<String>> {
    let cpu = fs::read_to_string("/proc/cpuinfo")?;
    let memory = fs::read_to_string("/proc/meminfo")?;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let cores = std::thread::available_parallelism()?;
    let model = field(&cpu, "model name").unwrap_or("unknown model");
    let kib: f64 = field(&memory, "MemTotal")
        .and_then(|size| size.strip_suffix(" kB"))
        .context("/proc/meminfo has no MemTotal")?
        .parse()?;
    Ok(vec![
        format!("Processor: {model}, {cores} cores"),
        format!("Memory: {:.0} GiB", kib / f64::from(1 << 20)),
        format!("Kernel: Linux {}", kernel.trim()),
        format!("Date: {}", Clock::system().today()),
        format!("Commit: {}", commit().await?),
    ])
}

/// Short hash of the commit, and whether the tree has changes.
async fn commit() -> Result<String> {
    let mut command = Command::new("git");
    command.args(["describe", "--always", "--dirty=, with changes", "--exclude=*"]);
    Ok(process::output(command).await?.trim().to_owned())
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find_map(|(key, value)| (key.trim() == name).then(|| value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_whatever_its_padding() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz\nmodel name\t: Another\n";
        assert_eq!(field(text, "model name"), Some("Some CPU @ 2.0GHz"));
        assert_eq!(field(text, "model"), None);
    }
}
