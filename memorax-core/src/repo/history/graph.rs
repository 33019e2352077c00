//! How commits hang together: which merge brought a commit in, and which come from a history of their own.

use std::collections::HashMap;

use super::{History, Place};

/// Parents of the commits behind a tip, all named by age: 0 is the tip.
#[derive(Debug, Default)]
pub(in crate::repo) struct Graph {
    parents: Vec<Vec<u32>>,
}

impl Graph {
    /// Reads the graph of an order, newest first.
    pub(in crate::repo) fn new(history: &History, order: &[Place]) -> Self {
        let ages: HashMap<Place, u32> = order
            .iter()
            .enumerate()
            .map(|(age, place)| (*place, age as u32))
            .collect();
        let age_of = |id| ages.get(&history.place(id)?).copied();
        let parents = order
            .iter()
            .map(|place| {
                history
                    .parents_at(*place)
                    .iter()
                    .filter_map(age_of)
                    .collect()
            })
            .collect();
        Self { parents }
    }

    /// Returns the first parents from the tip down, newest first.
    fn trunk(&self) -> Vec<u32> {
        let mut trunk = Vec::new();
        let mut next = (!self.parents.is_empty()).then_some(0_u32);
        while let Some(age) = next {
            trunk.push(age);
            next = self.parents[age as usize].first().copied();
        }
        trunk
    }

    /// Returns for each commit the merge that brought it into the line of first parents; `None` for those on it.
    pub(in crate::repo) fn brought(&self) -> Vec<Option<u32>> {
        let mut brought = vec![None; self.parents.len()];
        let mut seen = vec![false; self.parents.len()];
        for age in self.trunk().into_iter().rev() {
            seen[age as usize] = true;
            let mut open: Vec<u32> = self.parents[age as usize].get(1..).unwrap_or(&[]).to_vec();
            while let Some(commit) = open.pop() {
                if std::mem::replace(&mut seen[commit as usize], true) {
                    continue;
                }
                brought[commit as usize] = Some(age);
                open.extend(&self.parents[commit as usize]);
            }
        }
        brought
    }

    /// Says for each commit whether it goes back to the root of the line of first parents. The files of another history
    /// that was merged in stood elsewhere, or in another repository.
    pub(in crate::repo) fn native(&self) -> Vec<bool> {
        let root = self.trunk().last().copied();
        let mut native = vec![false; self.parents.len()];
        for age in (0..self.parents.len()).rev() {
            native[age] = root == Some(age as u32)
                || self.parents[age]
                    .iter()
                    .any(|parent| native[*parent as usize]);
        }
        native
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    #[test]
    fn a_commit_is_brought_by_the_first_merge_and_foreign_roots_are_known() {
        // 5 <- 4 <- 0 is the trunk; 3 left it at 5 and 0 merged it; 2 is a root of its own that 1 brought into 0's side.
        let graph = Graph {
            parents: vec![vec![4, 1], vec![3, 2], vec![], vec![5], vec![5], vec![]],
        };
        assert_eq!(
            graph.brought(),
            [None, Some(0), Some(0), Some(0), None, None]
        );
        assert_eq!(graph.native(), [true, true, false, true, true, true]);
    }
}
