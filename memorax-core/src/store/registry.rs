//! One set of open files per space and process, however many handles there are.

use std::sync::{Arc, Weak};

use arc_swap::ArcSwapOption;

use super::redb::{Slot, Space};

// Changed by swapping a new list in, never under a lock: a fork may happen at any moment in another thread.
static OPEN: ArcSwapOption<Vec<Weak<Slot>>> = ArcSwapOption::const_empty();

/// Returns the open files of a space, shared by all handles of this process.
pub(super) fn slot(space: &Space, exclusive: bool) -> Arc<Slot> {
    loop {
        let before = OPEN.load_full();
        let alive: Vec<Arc<Slot>> = before
            .iter()
            .flat_map(|slots| slots.iter().filter_map(Weak::upgrade))
            .collect();
        if let Some(slot) = alive.iter().find(|slot| slot.serves(space, exclusive)) {
            return slot.clone();
        }
        let slot = Arc::new(Slot::new(space.clone(), exclusive));
        let after = alive.iter().chain([&slot]).map(Arc::downgrade).collect();
        let seen = OPEN.compare_and_swap(&before, Some(Arc::new(after)));
        let unchanged = match (&*seen, &before) {
            (Some(seen), Some(before)) => Arc::ptr_eq(seen, before),
            (None, None) => true,
            _ => false,
        };
        if unchanged {
            return slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_of_one_space_share_what_is_open() -> crate::Result<()> {
        let folder = std::env::temp_dir();
        let space = Space::new(&folder.join("one.redb"))?;
        let same = Space::new(&folder.join(".").join("one"))?;
        let other = Space::new(&folder.join("two"))?;
        let first = slot(&space, false);
        assert!(Arc::ptr_eq(&first, &slot(&same, false)));
        assert!(!Arc::ptr_eq(&first, &slot(&other, false)));
        assert!(!Arc::ptr_eq(&first, &slot(&space, true)));
        let weak = Arc::downgrade(&first);
        drop(first);
        assert!(
            weak.upgrade().is_none(),
            "nothing stays open without a handle"
        );
        Ok(())
    }
}
