//! Flags for single settings, made from a table: each sets one key of the settings.

use super::values::{decimal, kind, language, named, number, size, threshold, window};
use clap::builder::{BoolValueParser, RangedU64ValueParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use firsthand::settings::{Antecedent, ClockSource, Extract, Grouping, Measure, Numbers, Original};
use std::marker::PhantomData;
use std::sync::LazyLock;
use toml::{Table, Value};

/// A flag for one setting.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) letter: Option<char>,
    value: &'static str,
    of_type: &'static str,
    /// The key of the setting, with dots between tables.
    pub(crate) key: &'static str,
    pub(crate) help: &'static str,
    pub(crate) heading: &'static str,
}

/// All flags for single settings.
pub(crate) static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| {
    let mut heading = "";
    let rows = include_str!("flags.txt").lines().filter_map(|line| {
        if let Some(name) = line.strip_prefix('[') {
            heading = name.trim_end_matches(']');
        }
        let mut cells = line.splitn(5, '|').map(str::trim);
        let mut cell = || cells.next();
        let (names, value, of_type, key, help) = (cell()?, cell()?, cell()?, cell()?, cell()?);
        let (name, letter) = names.split_once(' ').unwrap_or((names, ""));
        Some(Flag { name, letter: letter.chars().next(), value, of_type, key, help, heading })
    });
    rows.collect()
});

/// Which flags a command has, by their headings.
pub(crate) trait Part {
    const HEADINGS: &'static [&'static str];
}

/// Everything that collections and streams share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct All;

impl Part for All {
    const HEADINGS: &'static [&'static str] = &["Settings", "Matching", "Reading", "Limits"];
}

/// How documents are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading;

impl Part for Reading {
    const HEADINGS: &'static [&'static str] = &["Reading", "Limits"];
}

/// What only a stream has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stream;

impl Part for Stream {
    const HEADINGS: &'static [&'static str] = &["Stream"];
}

/// Single settings as they were typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags<P> {
    given: Vec<(&'static Flag, Value)>,
    part: PhantomData<P>,
}

impl<P> Flags<P> {
    /// The value of a flag, if it was given.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.given.iter().find(|(flag, _)| flag.name == name)?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// The flags as those of another command.
    pub(crate) fn part_of<Q>(&self) -> Flags<Q> {
        Flags { given: self.given.clone(), part: PhantomData }
    }

    /// Puts the settings into a table, in the form of a settings file.
    pub(crate) fn write_to(&self, settings: &mut Table) {
        for (flag, value) in &self.given {
            insert(settings, flag.key, value.clone());
        }
    }
}

pub(crate) fn insert(table: &mut Table, key: &str, value: Value) {
    let Some((outer, rest)) = key.split_once('.') else {
        table.insert(key.to_owned(), value);
        return;
    };
    if let Value::Table(inner) = table.entry(outer).or_insert_with(|| Table::new().into()) {
        insert(inner, rest, value);
    }
}

impl<P: Part> Args for Flags<P> {
    fn augment_args(command: Command) -> Command {
        let flags = FLAGS.iter().filter(|flag| P::HEADINGS.contains(&flag.heading));
        command.args(flags.map(Flag::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<P: Part> FromArgMatches for Flags<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let flags = FLAGS.iter().filter(|flag| P::HEADINGS.contains(&flag.heading));
        let given = flags.filter_map(|flag| Some((flag, flag.given(matches)?))).collect();
        Ok(Self { given, part: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Flag {
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.name).long(self.name).short(self.letter);
        let arg = arg.help(self.help).help_heading(self.heading);
        let arg = match self.of_type {
            "switch" => return arg.action(ArgAction::SetTrue),
            "antecedents" => arg.action(ArgAction::Append).value_delimiter(';'),
            _ => arg,
        };
        let arg = arg.value_name(self.value).value_parser(self.parser());
        match self.name {
            "n" => arg.conflicts_with_all(["q", "distance", "chain"]),
            "q" => arg.conflicts_with_all(["distance", "chain"]),
            "rows" => arg.requires("bands").conflicts_with("recall"),
            _ => arg,
        }
    }

    /// The value in a settings file.
    fn given(&self, matches: &ArgMatches) -> Option<Value> {
        match self.of_type {
            "switch" => matches.get_flag(self.name).then_some(Value::Boolean(true)),
            "antecedents" => {
                Some(Value::Array(matches.get_many(self.name)?.cloned().collect::<Vec<Value>>()))
            }
            _ => matches.get_one(self.name).cloned(),
        }
    }

    fn parser(&self) -> ValueParser {
        match self.of_type {
            "bool" => BoolValueParser::new().map(Value::Boolean).into(),
            "positive" => {
                let positive = RangedU64ValueParser::<u64>::new().range(1..);
                positive.map(|number| Value::Integer(number as i64)).into()
            }
            of_type => (move |written: &str| read(of_type, written)).into(),
        }
    }

    /// The value in a settings file of what was written for this flag.
    ///
    /// # Errors
    ///
    /// If it cannot be understood.
    pub(crate) fn read(&self, written: &str) -> Result<Value, String> {
        read(self.of_type, written)
    }
}

/// The value in a settings file of what was written for a flag of this type.
fn read(of_type: &str, written: &str) -> Result<Value, String> {
    match of_type {
        "bool" | "switch" => {
            let truth = written.parse::<bool>().map_err(|_| "write true or false".to_owned());
            truth.map(Value::Boolean)
        }
        "number" | "positive" => number(written),
        "bytes" => size(written).map(|size| Value::Integer(size as i64)),
        "window" => window(written).map(Value::Integer),
        "decimal" => decimal(written),
        "threshold" => threshold(written).map(as_written),
        "language" => language(written).map(|language| as_written(language.code())),
        "kind" => kind(written).map(|kind| as_written(kind.name())),
        "antecedents" => {
            written.parse::<Antecedent>().map(as_written).map_err(|error| error.to_string())
        }
        "measure" => a_name::<Measure>(written),
        "grouping" => a_name::<Grouping>(written),
        "original" => a_name::<Original>(written),
        "extract" => a_name::<Extract>(written),
        "clock" => a_name::<ClockSource>(written),
        "numbers" => a_name::<Numbers>(written),
        _ => Ok(Value::from(written)),
    }
}

/// A value that was checked, as it is written in a settings file.
fn as_written(value: impl ToString) -> Value {
    Value::from(value.to_string())
}

/// One of the names of a choice.
fn a_name<T: serde::de::DeserializeOwned>(name: &str) -> Result<Value, String> {
    named::<T>(name).map(|_| Value::from(name))
}
