//! Enums whose values are stored and sent by name.

/// Defines an enum whose values have names, which are stored, sent and accepted. Schemas and error messages leave out
/// the values of the group `internal`.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])* $enum:ident {
            $($(#[$about:meta])* $value:ident = $name:literal,)+
        }
        $(internal { $($(#[$about_internal:meta])* $internal:ident = $internal_name:literal,)+ })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $($(#[$about])* $value,)+
            $($($(#[$about_internal])* $internal,)+)?
        }

        impl $enum {
            pub const ALL: [Self; [$($name,)+ $($($internal_name,)+)?].len()] =
                [$(Self::$value,)+ $($(Self::$internal,)+)?];
            /// Values that are not internal.
            pub const PUBLIC: [Self; [$($name),+].len()] = [$(Self::$value),+];
            /// Names in the order of [`PUBLIC`](Self::PUBLIC).
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// Name of the value, as it is stored and displayed.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                    $($(Self::$internal => $internal_name,)+)?
                }
            }

            /// Returns the value with this exact name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $enum {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::from_name(&name)
                    .ok_or_else(|| serde::de::Error::unknown_variant(&name, &Self::NAMES))
            }
        }

        impl schemars::JsonSchema for $enum {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($enum).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::NAMES })
            }
        }
    };
}

pub(crate) use named;
