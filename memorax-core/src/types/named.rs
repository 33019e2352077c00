//! The macro for enums whose values have one lower-case name in the program, in JSON and in every binding.

/// Declares an enum with `as_str`, `FromStr`, `Display`, `ALL` and serde by name.
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $name:ident ($what:literal) {
        $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        $vis enum $name {
            $($(#[$variant_meta])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every value, in the order in which they are listed to people.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the lower-case name used on the command line and in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::Error;

            fn from_str(text: &str) -> crate::Result<Self> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    other => Err(crate::Error::new(
                        crate::ErrorKind::InvalidInput,
                        format!(
                            concat!("no ", $what, " `{}`; known: {}"),
                            other,
                            Self::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", "),
                        ),
                    )),
                }
            }
        }
    };
}
pub(crate) use named;
