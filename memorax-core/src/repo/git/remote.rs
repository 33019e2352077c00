//! Addresses of remotes, normalised so that every way of writing one address gives the same text.

use std::path::Path;

use gix::bstr::{BStr, ByteSlice};
use gix::url::Scheme;

use super::{Checkout, place};

/// A remote and its address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Remote {
    /// Name, such as `origin`.
    pub name: String,
    /// Normalised address: host and path, or a canonical path.
    pub address: String,
}

impl Remote {
    /// Creates a remote from an address that is normalised already.
    pub fn new(name: impl Into<String>, address: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            address: address.into(),
        }
    }
}

impl Checkout {
    /// Returns the remotes, `upstream` first, then `origin`, then the others by name; `url.*.insteadOf` is applied.
    pub fn remotes(&self) -> Vec<Remote> {
        let Some(repository) = self.repository() else {
            return Vec::new();
        };
        let mut remotes: Vec<Remote> = repository
            .remote_names()
            .iter()
            .filter_map(|name| {
                let remote = repository.try_find_remote(name.as_bstr())?.ok()?;
                let url = remote.url(gix::remote::Direction::Fetch)?;
                let address = address_of(url, self.root())?;
                Some(Remote::new(name.to_str_lossy(), address))
            })
            .collect();
        remotes.sort_by(|one, other| {
            (rank(&one.name), &one.name).cmp(&(rank(&other.name), &other.name))
        });
        remotes
    }
}

fn rank(name: &str) -> u8 {
    match name {
        "upstream" => 0,
        "origin" => 1,
        _ => 2,
    }
}

/// Writes an address without protocol, user, password, default port and `.git`, its host in lower case.
///
/// A path is resolved below `base` and written as the canonical path of the git directory that it names.
///
/// ```
/// use memorax_core::repo::normalise_address;
/// let base = std::path::Path::new(".");
/// let expected = Some("example.org/team/app".to_owned());
/// assert_eq!(normalise_address("git@Example.org:team/app.git", base), expected);
/// assert_eq!(normalise_address("https://ada:secret@example.org:443/team/app/", base), expected);
/// ```
pub fn normalise_address(address: &str, base: &Path) -> Option<String> {
    let url = gix::url::parse(BStr::new(address.trim())).ok()?;
    address_of(&url, base)
}

fn address_of(url: &gix::Url, base: &Path) -> Option<String> {
    if url.scheme == Scheme::File {
        return file_address(url, base);
    }
    let host = url.host.as_deref()?.to_lowercase();
    let path = url.path.to_str_lossy();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = without_git_suffix(path.trim_matches('/'));
    let host = match url.port {
        Some(port) if Some(port) != default_port(&url.scheme) => format!("{host}:{port}"),
        _ => host,
    };
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

fn default_port(scheme: &Scheme) -> Option<u16> {
    match scheme {
        Scheme::Ssh => Some(22),
        Scheme::Https => Some(443),
        Scheme::Http => Some(80),
        Scheme::Git => Some(9418),
        _ => None,
    }
}

fn without_git_suffix(path: &str) -> &str {
    path.strip_suffix(".git")
        .filter(|stem| !stem.is_empty() && !stem.ends_with('/'))
        .unwrap_or(path)
        .trim_end_matches('/')
}

fn file_address(url: &gix::Url, base: &Path) -> Option<String> {
    let path = gix::path::from_bstr(url.path.as_bstr()).ok()?;
    let path = base.join(path);
    let candidates = [
        path.join(".git"),
        path.clone(),
        path.with_added_extension("git"),
    ];
    let found = candidates
        .iter()
        .find(|candidate| candidate.join("objects").is_dir())
        .and_then(|candidate| place::canonical(candidate).ok())
        .or_else(|| place::canonical(&path).ok());
    // Paths that are gone (an unplugged disk) still compare equal to themselves.
    Some(place::text(&found.unwrap_or(path)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::normalise_address;

    #[test]
    fn every_way_of_writing_an_address_gives_the_same_text() {
        let same = [
            "https://example.org/team/app.git",
            "https://EXAMPLE.org/team/app",
            "https://ada@example.org/team/app/",
            "http://example.org:80/team/app.git/",
            "ssh://git@example.org/team/app.git",
            "ssh://git@example.org:22/team/app",
            "git@example.org:team/app.git",
            "example.org:/team/app",
            "git://example.org:9418/team/app.git",
        ];
        for address in same {
            assert_eq!(
                normalise_address(address, Path::new(".")).as_deref(),
                Some("example.org/team/app"),
                "{address}"
            );
        }
    }

    #[test]
    fn what_differs_stays_apart() {
        let base = Path::new(".");
        assert_eq!(
            normalise_address("ssh://git@example.org:2222/team/app.git", base).as_deref(),
            Some("example.org:2222/team/app"),
            "another port is another server"
        );
        assert_eq!(
            normalise_address("https://example.org/Team/app", base).as_deref(),
            Some("example.org/Team/app"),
            "only hosts are compared without case"
        );
        assert_eq!(normalise_address("https://example.org/", base), None);
    }
}
