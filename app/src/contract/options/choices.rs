//! Options with a few values, the default first.

use super::{
    value::{Input, OptionValue},
    words::{AUTOMATIC, DARK, DAY_OF_EVENT, LIGHT, OFF, ON, SOLID, TRANSPARENT, WHEN_REPORTED},
};

macro_rules! choice {
    ($(#[doc = $doc:literal])+ $Choice:ident {
        $default:ident = $default_name:literal $default_label:ident,
        $($value:ident = $name:literal $label:ident),+ $(,)?
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $Choice {
            #[default]
            $default,
            $($value),+
        }

        impl $Choice {
            /// Names of all values, the default first.
            pub const NAMES: &[&str] = &[$default_name, $($name),+];

            /// Name in a query and in attributes.
            pub const fn as_str(self) -> &'static str {
                match self {
                    Self::$default => $default_name,
                    $(Self::$value => $name),+
                }
            }

            /// Returns the value with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $default_name => Some(Self::$default),
                    $($name => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        impl OptionValue for $Choice {
            const INPUT: Input =
                Input::One(&[($default_name, $default_label), $(($name, $label)),+]);

            fn set(&mut self, text: &str) {
                *self = Self::from_name(text).unwrap_or(*self);
            }

            fn text(&self) -> Option<String> {
                (*self != Self::default()).then(|| self.as_str().to_owned())
            }
        }
    };
}

choice! {
    /// `theme=`: the colours of the widget. Automatic: those that the visitor's system or the
    /// embedding page prefers.
    Theme { Auto = "auto" AUTOMATIC, Light = "light" LIGHT, Dark = "dark" DARK }
}
choice! {
    /// `bg=`: the background of the widget: the theme's surface, or transparent.
    Background { Surface = "surface" SOLID, None = "none" TRANSPARENT }
}
choice! {
    /// `dates=`: the date that the feed shows for a report.
    Dates { Reported = "reported" WHEN_REPORTED, Event = "event" DAY_OF_EVENT }
}
choice! {
    /// `rotate=`: whether the globe rotates slowly while the visitor does nothing else with it.
    Rotation { Off = "off" OFF, On = "on" ON }
}
choice! {
    /// `labels=`: whether the globe shows the names of the busiest visible places.
    Labels { Off = "off" OFF, On = "on" ON }
}
choice! {
    /// `cluster=`: whether places that overlap are one light.
    Clustering { On = "on" ON, Off = "off" OFF }
}

/// `limit=`: maximum number of reports in the feed, an integer from 1 to [`Limit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit(u32);

impl Limit {
    pub const MAX: u32 = 100;
    pub const DEFAULT: Self = Self(20);

    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl OptionValue for Limit {
    const INPUT: Input = Input::Number { most: Self::MAX, default: Self::DEFAULT.0 };

    fn set(&mut self, text: &str) {
        if let Some(rows) = text.parse().ok().filter(|rows| (1..=Self::MAX).contains(rows)) {
            *self = Self(rows);
        }
    }

    fn text(&self) -> Option<String> {
        (*self != Self::DEFAULT).then(|| self.0.to_string())
    }
}
