//! Names of variables, options and fields that hold secrets.

/// How much a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A password: may be short, may be a word with a digit.
    Password,
    /// A secret for certain, such as `client_secret`.
    Secret,
    /// A token; many a token is a word of a language.
    Token,
    /// Some key: of a cache or of a lock as well as of an interface.
    Key,
}

/// Says what a name holds, if it may be a secret. `name` is an identifier, perhaps with `.` and `-`.
pub(super) fn holds(name: &str) -> Option<Holds> {
    let parts = parts_of(name);
    let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    while parts.len() > 1
        && parts.last().is_some_and(|last| {
            SUFFIXES.contains(last) || last.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        parts.pop();
    }
    let (last, before) = parts.split_last()?;
    let previous = before.last().copied().unwrap_or_default();
    match *last {
        "password" | "passwd" | "passwort" | "pwd" | "pass" | "passphrase" | "passcode" | "pw" => {
            // `pass` alone counts passed tests as often as it opens a door.
            let is_sure = !matches!(*last, "pass" | "pw" | "pwd") || !previous.is_empty();
            (is_sure
                && !matches!(
                    previous,
                    "render" | "old" | "first" | "second" | "optimization"
                ))
            .then_some(Holds::Password)
        }
        "secret" | "secrets" | "apikey" | "secretkey" | "accesskey" | "accesstoken"
        | "authtoken" | "clientsecret" | "privatekey" | "appsecret" | "apisecret" | "authkey"
        | "credential" | "credentials" | "mypassword" | "dbpassword" | "pgpassword"
        | "userpassword" | "masterkey" | "apitoken" | "sessiontoken" | "refreshtoken"
        | "bearertoken" | "connectionstring" => Some(if last.ends_with("password") {
            Holds::Password
        } else {
            Holds::Secret
        }),
        "key" | "keys" => match previous {
            "api" | "secret" | "access" | "auth" | "private" | "signing" | "encryption"
            | "decryption" | "master" | "app" | "application" | "account" | "service" | "admin"
            | "client" | "hmac" | "webhook" | "license" | "licence" | "storage" | "shared"
            | "deploy" | "ssh" | "jwt" | "session" | "cookie" | "subscription" => {
                Some(Holds::Secret)
            }
            "" => None,
            other if ORDINARY_KEYS.contains(&other) => None,
            _ => Some(Holds::Key),
        },
        "token" | "tokens" | "pat" | "jwt" => match previous {
            "auth" | "access" | "api" | "bearer" | "refresh" | "session" | "oauth" | "id"
            | "bot" | "deploy" | "personal" | "security" | "user" | "service" | "admin"
            | "private" | "verify" | "verification" => Some(Holds::Secret),
            "next" | "page" | "continuation" | "sync" | "stop" | "eos" | "bos" | "pad" | "unk"
            | "mask" | "sep" | "cls" | "cancellation" | "cancel" | "syntax" | "max" | "start"
            | "end" => None,
            "" if *last == "pat" => None,
            _ => Some(Holds::Token),
        },
        "auth" => (name == "auth" || name.ends_with("_auth")).then_some(Holds::Token),
        "session" | "sessionid" | "sid" | "phpsessid" | "jsessionid" => {
            (last.len() > 7).then_some(Holds::Token)
        }
        // `SECRET_KEY_BASE`
        "base" if before.ends_with(&["secret", "key"]) => Some(Holds::Secret),
        _ => None,
    }
}

/// Endings that say in which form or for what a secret is there.
#[rustfmt::skip]
const SUFFIXES: &[&str] = &[
    "value", "default", "raw", "b64", "base64", "hex", "str", "string", "text", "plain",
    "plaintext", "prod", "production", "dev", "staging", "live", "old", "new", "backup", "primary",
    "secondary",
];

/// What stands before `key` where it opens no door.
#[rustfmt::skip]
const ORDINARY_KEYS: &[&str] = &[
    "arrow", "block", "bucket", "cache", "cell", "child", "chunk", "column", "commit", "composite",
    "config", "context", "css", "data", "debug", "dedupe", "dict", "digest", "document", "entry",
    "event", "etag", "field", "file", "fingerprint", "foreign", "git", "group", "hash", "header",
    "host", "hot", "i18n", "idempotency", "image", "index", "integrity", "item", "job", "json",
    "lang", "list", "locale", "lock", "lookup", "map", "memo", "message", "meta", "metric",
    "natural", "node", "object", "option", "param", "parent", "partition", "path", "primary",
    "prop", "property", "public", "pub", "query", "react", "record", "redis", "ref", "region",
    "request", "resource", "restore", "route", "routing", "row", "search", "sha", "shard",
    "shortcut", "slot", "snapshot", "socket", "s3", "sort", "state", "stream", "style", "sub",
    "symbol", "tab", "table", "tag", "test", "theme", "topic", "translation", "tree", "trace",
    "type", "unique", "value", "view", "vite",
];

/// Splits a name into lower-case parts; a name of dots gives those behind the last dot.
fn parts_of(name: &str) -> Vec<String> {
    let mut last = name;
    if let Some((before, after)) = name.rsplit_once('.') {
        last = if SUFFIXES.contains(&after) {
            before.rsplit('.').next().unwrap_or(before)
        } else {
            after
        };
    }
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let bytes = last.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            parts.push(std::mem::take(&mut part));
            continue;
        }
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(at + 1);
        let rises = byte.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && after.is_some_and(u8::is_ascii_lowercase))
            });
        if rises {
            parts.push(std::mem::take(&mut part));
        }
        part.push(char::from(byte.to_ascii_lowercase()));
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Alphabets of keys that are known by their owner's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Hex,
    Alphanumeric,
    Base64,
    Uuid,
}

/// A service whose keys have no prefix: name of the rule, what its variable's name has, alphabet and lengths.
type Service = (&'static str, &'static str, Shape, usize, usize);

/// Services whose keys look like any hash, so that only the variable's name gives them away.
#[rustfmt::skip]
const SERVICES: &[Service] = &[
    ("aws-secret-key", "secretaccesskey", Shape::Base64, 40, 40),
    ("aws-secret-key", "awssecret", Shape::Base64, 40, 40),
    ("aws-session-token", "awssession", Shape::Base64, 100, 2000),
    ("algolia-key", "algolia", Shape::Hex, 32, 32),
    ("asana-secret", "asana", Shape::Hex, 32, 32),
    ("assemblyai-key", "assemblyai", Shape::Hex, 32, 32),
    ("binance-key", "binance", Shape::Alphanumeric, 64, 64),
    ("bugsnag-key", "bugsnag", Shape::Hex, 32, 32),
    ("circleci-token", "circle", Shape::Hex, 40, 40),
    ("cloudflare-key", "cloudflare", Shape::Alphanumeric, 37, 40),
    ("cloudflare-key", "cfapi", Shape::Alphanumeric, 37, 40),
    ("codecov-token", "codecov", Shape::Uuid, 36, 36),
    ("cohere-key", "cohere", Shape::Alphanumeric, 40, 40),
    ("consul-token", "consul", Shape::Uuid, 36, 36),
    ("datadog-key", "datadog", Shape::Hex, 32, 40),
    ("datadog-key", "ddapikey", Shape::Hex, 32, 32),
    ("datadog-key", "ddappkey", Shape::Hex, 40, 40),
    ("datadog-key", "ddapplicationkey", Shape::Hex, 40, 40),
    ("deepgram-key", "deepgram", Shape::Hex, 40, 40),
    ("discord-secret", "discord", Shape::Alphanumeric, 32, 32),
    ("facebook-secret", "facebook", Shape::Hex, 32, 32),
    ("fastly-token", "fastly", Shape::Alphanumeric, 32, 32),
    ("gitea-token", "gitea", Shape::Hex, 40, 40),
    ("heroku-key", "heroku", Shape::Uuid, 36, 36),
    ("hubspot-key", "hubspot", Shape::Uuid, 36, 36),
    ("infura-key", "infura", Shape::Hex, 32, 32),
    ("jenkins-token", "jenkins", Shape::Hex, 32, 34),
    ("mistral-key", "mistral", Shape::Alphanumeric, 32, 32),
    ("nomad-token", "nomad", Shape::Uuid, 36, 36),
    ("okta-token", "okta", Shape::Alphanumeric, 40, 42),
    ("pagerduty-key", "pagerduty", Shape::Alphanumeric, 20, 32),
    ("pinecone-key", "pinecone", Shape::Uuid, 36, 36),
    ("postmark-token", "postmark", Shape::Uuid, 36, 36),
    ("rollbar-token", "rollbar", Shape::Hex, 32, 32),
    ("sendbird-token", "sendbird", Shape::Hex, 40, 40),
    ("snyk-token", "snyk", Shape::Uuid, 36, 36),
    ("spotify-secret", "spotify", Shape::Hex, 32, 32),
    ("together-key", "together", Shape::Hex, 64, 64),
    ("trello-key", "trello", Shape::Hex, 32, 64),
    ("twilio-token", "twilio", Shape::Hex, 32, 32),
    ("wandb-key", "wandb", Shape::Hex, 40, 40),
    ("zendesk-token", "zendesk", Shape::Alphanumeric, 40, 40),
];

/// Returns the rule of the service that a name and the shape of its value point to.
pub(super) fn service_of(name: &str, value: &str) -> Option<&'static str> {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    SERVICES
        .iter()
        .find(|(_, part, shape, least, most)| {
            plain.contains(part)
                && (*least..=*most).contains(&value.len())
                && has_shape(value, *shape)
        })
        .map(|(rule, ..)| *rule)
}

fn has_shape(value: &str, shape: Shape) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    has_digit
        && match shape {
            Shape::Hex => value.bytes().all(|byte| byte.is_ascii_hexdigit()),
            Shape::Alphanumeric => value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)),
            Shape::Base64 => value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)),
            Shape::Uuid => super::judge::is_uuid(value),
        }
}

/// Returns the names of all services' rules.
pub(super) fn service_rules() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|(rule, ..)| *rule)
}

#[cfg(test)]
mod tests {
    use super::{Holds, holds};

    #[test]
    fn names_say_what_they_hold() {
        for (name, expected) in [
            ("DB_PASSWORD", Some(Holds::Password)),
            ("spring.datasource.password", Some(Holds::Password)),
            ("--db-pass", Some(Holds::Password)),
            ("apiKey", Some(Holds::Secret)),
            ("APIKey", Some(Holds::Secret)),
            ("OPENAI_API_KEY_2", Some(Holds::Secret)),
            ("SECRET_KEY_BASE", Some(Holds::Secret)),
            ("X-Auth-Token", Some(Holds::Secret)),
            ("csrfToken", Some(Holds::Token)),
            ("STRIPE_KEY", Some(Holds::Key)),
            ("cache_key", None),
            ("monkey", None),
            ("keyboard", None),
            ("author", None),
            ("next_token", None),
            ("tokenizer", None),
            ("password_hash", None),
            ("key", None),
        ] {
            assert_eq!(holds(name), expected, "{name}");
        }
    }
}
