//! Octagons against all points of a small box: closing, adding bounds one by one, joins and widenings.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use domains::Thresholds;
use domains::octagon::{Form, Octagon};
use logic::Rational;
use proptest::prelude::*;

const N: usize = 3;
const BOX: i128 = 4;

type Bound = (usize, bool, usize, bool, i64);

fn bound() -> impl Strategy<Value = Bound> {
    (0..N, any::<bool>(), 0..N, any::<bool>(), -6i64..=6)
}

fn forms(b: &Bound) -> Option<(Form, Form, Rational)> {
    let (a, c) = (Form { variable: b.0, negative: b.1 }, Form { variable: b.2, negative: b.3 });
    (a != c).then(|| (a, c, Rational::from(b.4)))
}

fn holds(b: &Bound, point: &[i128]) -> bool {
    let value = |v: usize, negative: bool| if negative { -point[v] } else { point[v] };
    (b.0, b.1) == (b.2, b.3) || value(b.0, b.1) - value(b.2, b.3) <= i128::from(b.4)
}

fn points() -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..N {
        all = all.iter().flat_map(|p| (-BOX..=BOX).map(|x| p.iter().copied().chain([x]).collect())).collect();
    }
    all
}

/// The octagon of the bounds, inside the box; closed.
fn octagon(bounds: &[Bound]) -> Option<Octagon> {
    let mut octagon = Octagon::all(N);
    for v in 0..N {
        octagon.add_unary(Form::plus(v), &Rational::from(BOX));
        octagon.add_unary(Form::minus(v), &Rational::from(BOX));
    }
    for (a, c, limit) in bounds.iter().filter_map(forms) {
        octagon.add(a, c, &limit);
    }
    octagon.close().then_some(octagon)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Closed octagons have exactly the points that satisfy their bounds, and their bounds are the best.
    #[test]
    fn closing_is_exact(bounds in proptest::collection::vec(bound(), 0..7)) {
        let inside: Vec<Vec<i128>> = points().into_iter().filter(|p| bounds.iter().all(|b| holds(b, p))).collect();
        let Some(octagon) = octagon(&bounds) else {
            prop_assert!(inside.is_empty());
            return Ok(());
        };
        prop_assert!(!inside.is_empty());
        for p in points() {
            prop_assert_eq!(octagon.contains(&p), inside.contains(&p));
        }
        for a in 0..2 * N {
            for b in (0..2 * N).filter(|b| *b != a) {
                let form = |f: usize| Form { variable: f / 2, negative: f % 2 == 1 };
                let value = |f: usize, p: &[i128]| if f % 2 == 1 { -p[f / 2] } else { p[f / 2] };
                let best = inside.iter().map(|p| value(a, p) - value(b, p)).max().unwrap();
                prop_assert_eq!(octagon.difference(form(a), form(b)), Some(Rational::from(best)));
            }
        }
    }

    #[test]
    fn joins_widenings_and_shifts_contain_what_they_must(x in proptest::collection::vec(bound(), 0..5), y in proptest::collection::vec(bound(), 0..5), by in -3i64..=3) {
        let (Some(a), Some(b)) = (octagon(&x), octagon(&y)) else { return Ok(()) };
        let thresholds = Thresholds::new([Rational::from(5i64)]);
        let (joined, widened) = (a.join(&b), a.widen(&b, &thresholds));
        let narrowed = widened.narrow(&joined);
        let mut shifted = a.clone();
        shifted.shift(0, &Rational::from(by));
        prop_assert!(a.is_within(&joined) && b.is_within(&joined));
        for mut p in points() {
            if a.contains(&p) || b.contains(&p) {
                prop_assert!(joined.contains(&p) && widened.contains(&p) && narrowed.contains(&p));
            }
            if a.contains(&p) {
                p[0] += i128::from(by);
                prop_assert!(shifted.contains(&p));
            }
        }
    }
}
