//! Labels moved apart until none overlaps another.

/// Places near the wanted ones, in the same order, at least `gap` apart and within `low..=high` as
/// far as there is room.
pub(crate) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]).then(a.cmp(&b)));
    let room = (high - low) / wanted.len().saturating_sub(1).max(1) as f64;
    let gap = gap.min(room);
    // Groups that touch move as one, to the mean of what their members want.
    let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
    for &label in &order {
        let mut group = (wanted[label], vec![label]);
        while let Some((centre, members)) = groups.last() {
            let reach = gap * (members.len() + group.1.len()) as f64 / 2.0;
            if group.0 - centre >= reach {
                break;
            }
            let mut merged = members.clone();
            merged.extend(&group.1);
            let centre =
                merged.iter().map(|&label| wanted[label]).sum::<f64>() / merged.len() as f64;
            groups.pop();
            group = (held(centre, merged.len(), gap, low, high), merged);
        }
        group.0 = held(group.0, group.1.len(), gap, low, high);
        groups.push(group);
    }
    let mut places = vec![0.0; wanted.len()];
    for (centre, members) in groups {
        let first = centre - gap * (members.len() - 1) as f64 / 2.0;
        for (number, label) in members.into_iter().enumerate() {
            places[label] = first + gap * number as f64;
        }
    }
    // Groups pushed in from the end may touch again.
    for pair in order.windows(2) {
        places[pair[1]] = places[pair[1]].max(places[pair[0]] + gap);
    }
    if let Some(&last) = order.last() {
        places[last] = places[last].min(high);
    }
    for pair in order.windows(2).rev() {
        places[pair[0]] = places[pair[0]].min(places[pair[1]] - gap);
    }
    places
}

/// The centre of a group that stays within the range.
fn held(centre: f64, members: usize, gap: f64, low: f64, high: f64) -> f64 {
    let half = gap * (members - 1) as f64 / 2.0;
    centre.min(high - half).max(low + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_lies_on_another() {
        let cases: [&[f64]; 6] = [
            &[],
            &[50.0],
            &[10.0, 10.0, 10.0],
            &[99.0, 98.0, 97.0, 0.0, 1.0],
            &[30.0, 80.0, 31.0],
            &[100.0; 30],
        ];
        for wanted in cases {
            let places = spread(wanted, 12.0, 0.0, 100.0);
            let gap = 12f64.min(100.0 / wanted.len().saturating_sub(1).max(1) as f64);
            let mut sorted = places.clone();
            sorted.sort_by(f64::total_cmp);
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= gap - 1e-6), "{places:?}");
            assert!(sorted.iter().all(|place| (-1e-6..=100.000_001).contains(place)), "{places:?}");
        }
        assert_eq!(spread(&[30.0, 80.0, 31.0], 12.0, 0.0, 100.0), [24.5, 80.0, 36.5]);
    }
}
