use crate::words::{
    Word,
    common::{BOTH, SPIRIT, WATER},
};
use kit::lang::Lang;
use model::{ReportType, Types};

/// Type of an option's value.
pub trait OptionValue: Default {
    /// Input in the snippet builder.
    const INPUT: Input;

    /// Sets the value; an invalid text changes nothing.
    fn set(&mut self, text: &str);

    /// The value as text; `None` if it is the default.
    fn text(&self) -> Option<String>;
}

/// Input for an option. Each value comes with its label.
#[derive(Debug)]
pub enum Input {
    /// Exactly one of these values. The first is the default, and snippets leave it out.
    One(&'static [(&'static str, Word)]),
    /// Any of these values. The default is all; choosing none is the same.
    Any(&'static [(&'static str, Word)]),
    /// A language of the widgets. The default is the visitor's.
    Language,
    /// A colour as hexadecimal digits; empty by default.
    Colour,
    /// A text; empty by default.
    Text,
    /// A date as `YYYY-MM-DD`; empty by default.
    Date,
    /// An integer from 1 to `most`.
    Number { most: u32, default: u32 },
}

/// A value without a default: the option is [`None`] if it is absent.
pub(super) trait Parsed: Sized {
    const INPUT: Input;

    fn parse(text: &str) -> Option<Self>;

    fn text(&self) -> String;
}

impl<T: Parsed> OptionValue for Option<T> {
    const INPUT: Input = T::INPUT;

    fn set(&mut self, text: &str) {
        if let Some(value) = T::parse(text) {
            *self = Some(value);
        }
    }

    fn text(&self) -> Option<String> {
        self.as_ref().map(T::text)
    }
}

impl Parsed for Lang {
    const INPUT: Input = Input::Language;

    fn parse(text: &str) -> Option<Self> {
        Self::from_tag(text)
    }

    fn text(&self) -> String {
        self.tag().to_owned()
    }
}

impl OptionValue for Types {
    const INPUT: Input = Input::Any(&[("spirit", SPIRIT), ("water", WATER), ("both", BOTH)]);

    fn set(&mut self, text: &str) {
        *self = Self::of(text.split(',').filter_map(|name| ReportType::from_name(name.trim())));
    }

    fn text(&self) -> Option<String> {
        (!self.is_all()).then(|| self.list().join(","))
    }
}
