//! Charts as SVG: bars for the time of a run's phases, and the quantile plot of a benchmark run.
//!
//! In a quantile plot (Beyer, Löwe, Wendler: *Reliable benchmarking*, 2019) a point (n, t) says that n tasks were
//! solved in at most t seconds each; a curve further right solves more, a lower one is faster. The time axis is
//! logarithmic.

use crate::escape::xml;
use std::fmt::Write;

/// Horizontal bars, longest first as given.
pub fn bars(title: &str, unit: &str, values: &[(String, f64)]) -> String {
    const ROW: f64 = 24.0;
    const LABEL: f64 = 170.0;
    const BAR: f64 = 320.0;
    let largest = values.iter().map(|v| v.1).fold(0.0, f64::max);
    let height = values.len() as f64 * ROW + 8.0;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"chart\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 600 {height:.0}\" width=\"600\" height=\"{height:.0}\" xmlns=\"http://www.w3.org/2000/svg\">",
        xml(title)
    );
    for (i, (name, value)) in values.iter().enumerate() {
        let y = 4.0 + i as f64 * ROW;
        let length = if largest > 0.0 { (value / largest * BAR).max(1.0) } else { 1.0 };
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><rect x=\"{LABEL}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"16\" rx=\"2\"/><text x=\"{:.1}\" y=\"{:.1}\">{value:.3} {}</text>",
            LABEL - 8.0,
            y + 12.5,
            xml(name),
            LABEL + length + 6.0,
            y + 12.5,
            xml(unit)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The colours of curves, told apart also in grey and by the colour-blind.
const COLOURS: &[&str] = &["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// One curve for each list of times; a complete SVG file.
pub fn quantile_plot(title: &str, curves: &[(String, Vec<f64>)]) -> String {
    const W: f64 = 720.0;
    const H: f64 = 440.0;
    const LEFT: f64 = 64.0;
    const TOP: f64 = 44.0;
    const BOTTOM: f64 = 52.0;
    /// Faster runs are shown as this fast.
    const LEAST: f64 = 1e-3;
    let most = curves.iter().map(|c| c.1.len()).max().unwrap_or(0).max(1) as f64;
    let slowest = curves.iter().flat_map(|c| c.1.iter().copied()).fold(1.0, f64::max);
    let decades = (slowest / LEAST).log10().ceil().max(1.0);
    let x = |n: f64| LEFT + n / most * (W - LEFT - 24.0);
    let y = |t: f64| H - BOTTOM - ((t.max(LEAST) / LEAST).log10() / decades) * (H - TOP - BOTTOM);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {W} {H}\" width=\"{W}\" height=\"{H}\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>",
        xml(title)
    );
    for d in 0..=decades as i32 {
        let t = LEAST * 10f64.powi(d);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{t} s</text>",
            W - 24.0,
            y(t),
            y(t),
            LEFT - 6.0,
            y(t) + 4.0
        );
    }
    let tick = (most / 8.0).ceil().max(1.0);
    let mut n = 0.0;
    while n <= most {
        let _ =
            writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{n}</text>", x(n), H - BOTTOM + 18.0);
        n += tick;
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">solved tasks, fastest first</text>",
        (LEFT + W) / 2.0,
        H - 12.0
    );
    for (i, (name, times)) in curves.iter().enumerate() {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> =
            times.iter().enumerate().map(|(n, t)| format!("{:.1},{:.1}", x(n as f64 + 1.0), y(*t))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for point in &points {
            let (px, py) = point.split_once(',').unwrap_or(("0", "0"));
            let _ = write!(out, "<circle cx=\"{px}\" cy=\"{py}\" r=\"2.4\" fill=\"{colour}\"/>");
        }
        let row = TOP + 16.0 + i as f64 * 18.0;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{row:.1}\">{} ({} solved)</text>",
            LEFT + 12.0,
            row - 10.0,
            LEFT + 30.0,
            xml(name),
            times.len()
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_a_point_per_solved_task_and_never_falls() {
        let svg = quantile_plot("a < b", &[("x".to_string(), vec![2.0, 0.5, 0.0001])]);
        assert!(svg.contains("a &lt; b") && svg.contains("(3 solved)"));
        let points = svg.split("points=\"").nth(1).and_then(|s| s.split('"').next()).expect("a polyline");
        let ys: Vec<f64> =
            points.split(' ').map(|p| p.split_once(',').expect("a pair").1.parse().expect("a number")).collect();
        assert!(ys.len() == 3 && ys.windows(2).all(|p| p[1] <= p[0]), "{ys:?}");
    }
}
