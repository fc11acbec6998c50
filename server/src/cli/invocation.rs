//! Arguments and settings of the process: flags win over variables, and variables over the settings file.
//!
//! The settings in the file become flags of the command, so that they are checked in the same way. Settings of other
//! commands are left out.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::PathBuf,
};

use base::redaction::without_passwords;
use clap::{
    Arg, ArgMatches, Command, CommandFactory, FromArgMatches, error::ContextKind,
    error::ContextValue, parser::ValueSource,
};

use serde::Serialize;

use super::Cli;
use crate::config::{
    self,
    file::{Entry, SettingsFile, Value},
};

/// Minimum similarity of a misspelled name and a setting for a hint.
const ALIKE: f64 = 0.8;
/// The setting whose list items are separated by spaces; the others use commas.
const WITH_SPACES: &str = "frame-ancestors";

/// A command line with its settings.
#[derive(Debug)]
pub struct Invocation {
    pub cli: Cli,
    pub settings: Vec<Setting>,
    /// The settings file, if there is one.
    pub file: Option<PathBuf>,
}

/// An effective setting of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Flag without its dashes.
    pub name: String,
    /// Name of the variable.
    pub variable: String,
    /// Value without passwords. `None` if it is not set and has no default.
    pub value: Option<String>,
    pub from: Origin,
}

/// Source of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Origin {
    Default,
    File { path: String, line: usize },
    Variable,
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{path}:{line}"),
            Self::Variable => f.write_str("variable"),
            Self::Flag => f.write_str("flag"),
        }
    }
}

/// Reasons why the process cannot run the command.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Bad usage, or a request for help.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    #[error(transparent)]
    File(#[from] config::file::ConfigFileError),
}

impl Refused {
    /// Prints the reason, and ends the process as bad usage does.
    pub fn exit(&self) -> ! {
        match self {
            Self::Usage(error) => error.exit(),
            Self::File(error) => Cli::command().error(clap::error::ErrorKind::Io, error).exit(),
        }
    }

    /// Returns the reason in one line.
    pub fn reason(&self) -> String {
        let text = self.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    }
}

impl Invocation {
    /// Reads a command line, and the settings file, which is named by a flag, by a variable, or by default.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn read(mut arguments: Vec<OsString>) -> Result<Self, Refused> {
        let mut command = Cli::command();
        let looked_at = command.clone().ignore_errors(true).try_get_matches_from(&arguments);
        let file = match &looked_at {
            Ok(matches) => {
                let named = matches.get_one::<PathBuf>("config").map(PathBuf::as_path);
                match named.filter(|path| path.as_os_str().is_empty()) {
                    Some(_none) => None,
                    None => SettingsFile::find(named)?,
                }
            }
            // Help, or an error that the next attempt returns.
            Err(_) => None,
        };
        command.build();
        let taken = match (&looked_at, &file) {
            (Ok(matches), Some(file)) => chosen(&command, matches, file)?,
            _ => Vec::new(),
        };
        let place = place_of_flags(&command, &arguments);
        arguments.splice(place..place, taken.iter().filter_map(|taken| taken.flag.clone()));
        let matches = command
            .try_get_matches_from_mut(&arguments)
            .map_err(|error| located(harmless(error), &taken))?;
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        let (leaf, values) = innermost(&command, &matches);
        let settings = of_command(leaf).map(|arg| {
            let from_file = taken.iter().find(|taken| taken.id == arg.get_id().as_str());
            setting(arg, values, from_file.map(|taken| taken.place()))
        });
        let settings = settings.collect();
        drop(taken);
        Ok(Self { settings, cli, file: file.map(|file| file.path) })
    }
}

/// A setting from the file for this command.
struct Taken<'a> {
    /// Id of the argument.
    id: String,
    file: &'a SettingsFile,
    entry: &'a Entry,
    /// Form on a command line; `None` for a switch that is off.
    flag: Option<OsString>,
}

impl Taken<'_> {
    fn place(&self) -> Origin {
        Origin::File { path: self.file.path.display().to_string(), line: self.entry.line }
    }
}

/// Returns the arguments that are settings: those with a variable.
fn of_command(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.get_env().is_some() && arg.get_id() != "config")
}

/// Returns the settings from the file for this command that no flag and no variable overrides.
fn chosen<'a>(
    command: &Command,
    matches: &ArgMatches,
    file: &'a SettingsFile,
) -> Result<Vec<Taken<'a>>, config::file::ConfigFileError> {
    let (leaf, values) = innermost(command, matches);
    let mut chosen = Vec::new();
    for entry in &file.entries {
        check(command, file, entry)?;
        let Some(arg) = of_command(leaf).find(|arg| arg.get_long() == Some(&entry.name)) else {
            continue;
        };
        let source = values.value_source(arg.get_id().as_str());
        if !matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable)) {
            chosen.push(Taken {
                id: arg.get_id().to_string(),
                file,
                entry,
                flag: flag(arg, entry),
            });
        }
    }
    Ok(chosen)
}

/// Checks that an entry is a setting of some command, and that its value has a kind that the setting accepts.
fn check(
    command: &Command,
    file: &SettingsFile,
    entry: &Entry,
) -> Result<(), config::file::ConfigFileError> {
    let serve = command.find_subcommand("serve").unwrap_or(command);
    let known: Vec<&Arg> = of_command(serve).collect();
    let Some(arg) = known.iter().find(|arg| arg.get_long() == Some(&entry.name)) else {
        let names = known.iter().filter_map(|arg| arg.get_long());
        let nearest = names
            .map(|name| (strsim::jaro_winkler(name, &entry.name), name))
            .filter(|(alike, _)| *alike > ALIKE)
            .max_by(|(a, _), (b, _)| a.total_cmp(b));
        let hint = nearest.map(|(_, name)| format!("; did you mean {name}?")).unwrap_or_default();
        let reason = format!("there is no setting {:?}{hint}", entry.name);
        return Err(file.problem(entry, reason));
    };
    let is_switch = !arg.get_action().takes_values();
    let is_list = arg.get_value_names().is_some_and(|names| {
        names.iter().any(|name| name.contains(',') || name == "SOURCES" || name == "FILTER")
    });
    let name = &entry.name;
    match &entry.value {
        Value::Text(_) if is_switch => {
            Err(file.problem(entry, format!("write {name} = true or {name} = false")))
        }
        Value::List(_) if !is_list => {
            Err(file.problem(entry, format!("{name} is not a list: write {name} = VALUE")))
        }
        _ => Ok(()),
    }
}

/// Converts an entry to a flag; `None` for a switch that is off.
fn flag(arg: &Arg, Entry { name, value, .. }: &Entry) -> Option<OsString> {
    let separator = if name == WITH_SPACES { " " } else { "," };
    let value = match value {
        Value::Switch(on) if !arg.get_action().takes_values() => {
            return on.then(|| OsString::from(format!("--{name}")));
        }
        Value::Switch(on) => on.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => items.join(separator),
    };
    Some(OsString::from(format!("--{name}={value}")))
}

/// Returns the index in the arguments for flags of the innermost subcommand: right after its name.
fn place_of_flags(mut command: &Command, arguments: &[OsString]) -> usize {
    let mut place = 1;
    let mut rest = arguments.iter().enumerate().skip(1);
    while let Some((at, argument)) = rest.next() {
        let takes_next = |arg: &&Arg| {
            let long = arg.get_long().map(|name| OsString::from(format!("--{name}")));
            long.as_ref() == Some(argument) && arg.get_action().takes_values()
        };
        if argument.as_encoded_bytes().starts_with(b"-") {
            if command.get_arguments().any(|arg| takes_next(&arg)) {
                rest.next();
            }
        } else if let Some(inner) = command.find_subcommand(argument) {
            (command, place) = (inner, at + 1);
        } else {
            break;
        }
    }
    place.min(arguments.len())
}

/// Returns the innermost subcommand and its values.
fn innermost<'a>(
    mut command: &'a Command,
    mut matches: &'a ArgMatches,
) -> (&'a Command, &'a ArgMatches) {
    while let Some((name, values)) = matches.subcommand()
        && let Some(inner) = command.find_subcommand(name)
    {
        (command, matches) = (inner, values);
    }
    (command, matches)
}

/// Removes passwords from the values that an error repeats.
fn harmless(mut error: clap::Error) -> clap::Error {
    let repeated = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, without_passwords(text))),
        _ => None,
    });
    for (kind, text) in repeated.collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// Adds the place in the file to an error about a value from the file.
fn located(error: clap::Error, taken: &[Taken<'_>]) -> clap::Error {
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let name = shown.trim_start_matches('-').split([' ', '=']).next().unwrap_or_default();
    let Some(taken) = taken.iter().find(|taken| taken.entry.name == name) else { return error };
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).lines().next().unwrap_or_default();
    Cli::command().error(error.kind(), format!("{}: {text}", taken.place()))
}

fn setting(arg: &Arg, values: &ArgMatches, place: Option<Origin>) -> Setting {
    let id = arg.get_id().as_str();
    let from = place.unwrap_or_else(|| match values.value_source(id) {
        Some(ValueSource::CommandLine) => Origin::Flag,
        Some(ValueSource::EnvVariable) => Origin::Variable,
        _ => Origin::Default,
    });
    let raw = values.get_raw(id).map(|values| {
        let values: Vec<_> = values.map(OsStr::to_string_lossy).collect();
        values.join(",")
    });
    Setting {
        name: arg.get_long().unwrap_or(id).to_owned(),
        variable: arg.get_env().unwrap_or_default().to_string_lossy().into_owned(),
        value: raw.filter(|value| !value.is_empty()).map(|value| without_passwords(&value)),
        from,
    }
}
