//! What imports say about files: those that the best files lead to.

/// Share of a file's rank that goes on along its imports; the rest starts anew at the seeds.
const DAMPING: f32 = 0.7;
/// Steps; after that nothing changes that could move a file.
const STEPS: usize = 6;
/// How much an import counts backwards, from what is imported to who imports it.
const BACKWARDS: f32 = 0.5;

/// Spreads the weight of the seeds along imports (PageRank that starts at the seeds); seeds themselves get what comes back.
pub(super) fn linked(files: usize, imports: &[(u32, u32)], seeds: &[(usize, f32)]) -> Vec<f32> {
    let all: f32 = seeds.iter().map(|(_, weight)| weight).sum();
    if imports.is_empty() || all <= 0.0 {
        return vec![0.0; files];
    }
    let mut out = vec![0.0_f32; files];
    for &(from, to) in imports {
        for (file, weight) in [(from, 1.0), (to, BACKWARDS)] {
            if let Some(sum) = out.get_mut(file as usize) {
                *sum += weight;
            }
        }
    }
    let mut start = vec![0.0_f32; files];
    for (seed, weight) in seeds {
        start[*seed] = weight / all;
    }
    let mut ranks = start.clone();
    for _ in 0..STEPS {
        let mut next: Vec<f32> = start.iter().map(|share| share * (1.0 - DAMPING)).collect();
        for &(from, to) in imports {
            for (from, to, weight) in [(from, to, 1.0), (to, from, BACKWARDS)] {
                let (from, to) = (from as usize, to as usize);
                if from < files && to < files && out[from] > 0.0 {
                    next[to] += DAMPING * ranks[from] * weight / out[from];
                }
            }
        }
        ranks = next;
    }
    for (rank, share) in ranks.iter_mut().zip(&start) {
        *rank = (*rank - share * (1.0 - DAMPING)).max(0.0);
    }
    ranks
}

/// Counts who imports each file, on a scale of logarithms.
pub(super) fn central(files: usize, imports: &[(u32, u32)]) -> Vec<f32> {
    let mut counts = vec![0.0_f32; files];
    for (_, to) in imports {
        if let Some(count) = counts.get_mut(*to as usize) {
            *count += 1.0;
        }
    }
    counts.into_iter().map(f32::ln_1p).collect()
}

#[cfg(test)]
mod tests {
    use super::{central, linked};

    #[test]
    fn what_the_seeds_import_is_nearer_than_what_imports_them() {
        // 0 is the seed and imports 1, which imports 2; 3 imports 0; 4 and 5 know each other only.
        let imports = [(0, 1), (1, 2), (3, 0), (4, 5)];
        let ranks = linked(6, &imports, &[(0, 2.0)]);
        assert!(
            ranks[1] > ranks[3] && ranks[3] > 0.0 && ranks[2] > 0.0,
            "{ranks:?}"
        );
        assert!(ranks[4].abs() < 1e-9 && ranks[5].abs() < 1e-9, "{ranks:?}");
        assert!(linked(6, &[], &[(0, 2.0)]).iter().all(|rank| *rank == 0.0));
        assert!(central(3, &[(0, 2), (1, 2)])[2] > 1.0);
    }
}
