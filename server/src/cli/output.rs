//! What the commands share in writing.

use std::io::{self, IsTerminal, Write};

use indicatif::HumanCount;
use serde::Serialize;

use super::Exit;
use crate::config::Output;

/// Writes the result of a command, for programs or for people.
pub(super) fn result(
    Output { json: is_json }: Output,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<Exit> {
    match is_json {
        true => json(value)?,
        false => line(&text())?,
    }
    Ok(Exit::Done)
}

/// Writes a list: `value` for programs, and for people a table of its items, or the sentence `none` without any.
pub(super) fn list<T>(
    Output { json: is_json }: Output,
    value: &impl Serialize,
    none: &str,
    header: &[&str],
    items: &[T],
    cells: impl Fn(&T) -> Vec<String>,
) -> anyhow::Result<Exit> {
    match items {
        _ if is_json => json(value)?,
        [] => line(none)?,
        _ => table(header, &items.iter().map(cells).collect::<Vec<_>>())?,
    }
    Ok(Exit::Done)
}

/// Writes a value as one line of JSON.
pub(super) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Writes a line of text.
pub(super) fn line(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}

/// Whether somebody watches the messages.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// `1 report`, `12,345 reports`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", HumanCount(number))
}

/// `12,345`.
pub(super) fn number(number: u64) -> String {
    HumanCount(number).to_string()
}

/// The text, or its beginning where it has more than `most` characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A table: a header and rows, columns as wide as their widest cell, numbers not aligned.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> anyhow::Result<()> {
    noted_table(header, rows, |_| None)
}

/// A table with lines between its rows: what `note` says of a row, by its number, stands below it.
pub(super) fn noted_table(
    header: &[&str],
    rows: &[Vec<String>],
    note: impl Fn(usize) -> Option<String>,
) -> anyhow::Result<()> {
    let widths: Vec<usize> = header
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(name.len())
        })
        .collect();
    let write = |out: &mut dyn Write, cells: &mut dyn Iterator<Item = &str>| -> io::Result<()> {
        let line: Vec<String> =
            cells.zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        writeln!(out, "{}", line.join("  ").trim_end())
    };
    let mut out = io::stdout().lock();
    write(&mut out, &mut header.iter().copied())?;
    for (number, row) in rows.iter().enumerate() {
        write(&mut out, &mut row.iter().map(String::as_str))?;
        if let Some(note) = note(number) {
            writeln!(out, "  {note}")?;
        }
    }
    Ok(())
}
