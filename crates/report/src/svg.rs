//! Graphs as pictures: a layered layout after Sugiyama, Tagawa and Toda (1981), drawn as SVG.
//!
//! The phases: turn back edges of a depth-first search around; put every node on the layer of its longest path from a
//! source; split long edges by invisible nodes; order the layers by barycentres, keeping the order with the
//! fewest crossings; move nodes towards their neighbours, layer by layer, where the positions that keep the
//! order and are nearest in the square are found by pooling adjacent violators. Labels of edges are invisible
//! nodes with a size, on layers of their own between those of the nodes; edges cross layers upright and bend only
//! between them, so that nothing overlaps.
//!
//! Everything is deterministic: the same graph gives the same picture. Graphs beyond [`MAX_NODES`] are not drawn.

use crate::escape::xml;
use std::fmt::Write;

/// A box with lines of text.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub lines: Vec<String>,
    /// A CSS class.
    pub class: &'static str,
    /// Shown when the pointer rests on the box.
    pub title: String,
    /// A line of the source that a click leads to.
    pub source_line: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub lines: Vec<String>,
    pub class: &'static str,
    /// What the edge stands for in the program's graph; the page marks it when an execution passes.
    pub ids: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// Larger graphs are not drawn: nobody could read them.
pub(crate) const MAX_NODES: usize = 250;
const MAX_EDGES: usize = 500;
/// The most nodes after long edges are split.
const MAX_SPLIT: usize = 12_000;

const CHARACTER: f64 = 7.3;
const LINE: f64 = 16.0;
const PAD: f64 = 8.0;
const GAP_X: f64 = 18.0;
const GAP_Y: f64 = 22.0;
const N_ORDER_SWEEPS: usize = 12;
const N_POSITION_SWEEPS: usize = 16;

/// A node of the layout: a node of the graph, the label of an edge, or a bend of one.
#[derive(Clone, Default)]
struct Cell {
    layer: usize,
    /// How far it reaches to the left and to the right of `x`.
    left: f64,
    right: f64,
    height: f64,
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

struct Layout {
    cells: Vec<Cell>,
    layers: Vec<Vec<usize>>,
    /// For each edge its cells from the upper to the lower end, and whether it runs upwards.
    routes: Vec<Option<(Vec<usize>, bool)>>,
    /// For each edge the cell that carries its label.
    label_cells: Vec<Option<usize>>,
}

fn size_of(lines: &[String]) -> (f64, f64) {
    let widest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    (widest as f64 * CHARACTER, lines.len() as f64 * LINE)
}

/// The picture, or nothing if the graph is empty or too large.
pub fn draw(graph: &Graph, title: &str) -> Option<String> {
    let sound = graph.edges.iter().all(|e| e.from < graph.nodes.len() && e.to < graph.nodes.len());
    if graph.nodes.is_empty() || graph.nodes.len() > MAX_NODES || graph.edges.len() > MAX_EDGES || !sound {
        return None;
    }
    let mut layout = layered(graph)?;
    order(&mut layout);
    position(&mut layout);
    Some(render(graph, &layout, title))
}

/// Which edges a depth-first search finds to lead back, so that the others have no cycle.
fn back_edges(graph: &Graph) -> Vec<bool> {
    let n = graph.nodes.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, e) in graph.edges.iter().enumerate() {
        out[e.from].push(i);
    }
    let mut back = vec![false; graph.edges.len()];
    // 0: not seen, 1: open, 2: done.
    let mut state = vec![0u8; n];
    for root in 0..n {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0usize)];
        while let Some((node, next)) = stack.pop() {
            let Some(&edge) = out[node].get(next) else {
                state[node] = 2;
                continue;
            };
            stack.push((node, next + 1));
            let to = graph.edges[edge].to;
            match state[to] {
                0 => {
                    state[to] = 1;
                    stack.push((to, 0));
                }
                1 => back[edge] = true,
                _ => {}
            }
        }
    }
    back
}

fn layered(graph: &Graph) -> Option<Layout> {
    let n = graph.nodes.len();
    let back = back_edges(graph);
    // Upper and lower end of every edge that is no loop.
    let ends = |i: usize| {
        let e = &graph.edges[i];
        if back[i] { (e.to, e.from) } else { (e.from, e.to) }
    };
    let proper: Vec<usize> = (0..graph.edges.len()).filter(|&i| graph.edges[i].from != graph.edges[i].to).collect();
    let mut n_above = vec![0usize; n];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    for &i in &proper {
        let (upper, lower) = ends(i);
        n_above[lower] += 1;
        below[upper].push(lower);
    }
    let mut rank = vec![0usize; n];
    let mut ready: std::collections::VecDeque<usize> = (0..n).filter(|&v| n_above[v] == 0).collect();
    while let Some(v) = ready.pop_front() {
        for &w in &below[v] {
            rank[w] = rank[w].max(rank[v] + 1);
            n_above[w] -= 1;
            if n_above[w] == 0 {
                ready.push_back(w);
            }
        }
    }
    let mut cells: Vec<Cell> = (0..n)
        .map(|v| {
            let (width, height) = size_of(&graph.nodes[v].lines);
            // Labels have the layers between, hence the factor.
            let half = (width / 2.0 + PAD).max(12.0);
            // A loop is drawn at the right of its box.
            let loops = graph.edges.iter().filter(|e| e.from == v && e.to == v);
            let room = loops.map(|e| size_of(&e.lines).0 + 40.0).fold(0.0, f64::max);
            Cell { layer: 2 * rank[v], left: half, right: half + room, height: height + PAD, ..Cell::default() }
        })
        .collect();
    let mut routes = vec![None; graph.edges.len()];
    let mut label_cells = vec![None; graph.edges.len()];
    for &i in &proper {
        let (upper, lower) = ends(i);
        let (top, bottom) = (cells[upper].layer, cells[lower].layer);
        // The label stands next to the node that the edge leaves.
        let label_layer = if back[i] { bottom - 1 } else { top + 1 };
        let mut route = vec![upper];
        for layer in top + 1..bottom {
            let mut cell = Cell { layer, left: 5.0, right: 5.0, ..Cell::default() };
            if layer == label_layer && !graph.edges[i].lines.is_empty() {
                let (width, height) = size_of(&graph.edges[i].lines);
                // The label stands at the right of the edge.
                cell.right = width + 8.0;
                cell.height = height;
                label_cells[i] = Some(cells.len());
            }
            route.push(cells.len());
            cells.push(cell);
        }
        route.push(lower);
        for pair in route.windows(2) {
            cells[pair[0]].below.push(pair[1]);
            cells[pair[1]].above.push(pair[0]);
        }
        routes[i] = Some((route, back[i]));
        if cells.len() > MAX_SPLIT {
            return None;
        }
    }
    let n_layers = cells.iter().map(|c| c.layer + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); n_layers];
    for (i, cell) in cells.iter().enumerate() {
        layers[cell.layer].push(i);
    }
    Some(Layout { cells, layers, routes, label_cells })
}

/// The number of crossings between each layer and the next.
fn n_crossings(layout: &Layout) -> usize {
    let mut place = vec![0usize; layout.cells.len()];
    let mut total = 0;
    for layer in &layout.layers {
        for (i, &cell) in layer.iter().enumerate() {
            place[cell] = i;
        }
    }
    for layer in &layout.layers {
        let mut seen: Vec<usize> = Vec::new();
        for &cell in layer {
            let mut targets: Vec<usize> = layout.cells[cell].below.iter().map(|&b| place[b]).collect();
            targets.sort_unstable();
            for &t in &targets {
                total += seen.len() - seen.partition_point(|&s| s <= t);
            }
            for t in targets {
                let at = seen.partition_point(|&s| s <= t);
                seen.insert(at, t);
            }
        }
    }
    total
}

fn order(layout: &mut Layout) {
    let mut best = (n_crossings(layout), layout.layers.clone());
    let mut place: Vec<f64> = vec![0.0; layout.cells.len()];
    for sweep in 0..N_ORDER_SWEEPS {
        let down = sweep % 2 == 0;
        let n_layers = layout.layers.len();
        for step in 0..n_layers {
            let l = if down { step } else { n_layers - 1 - step };
            let mut keyed: Vec<(f64, usize)> = layout.layers[l]
                .iter()
                .enumerate()
                .map(|(i, &cell)| {
                    let c = &layout.cells[cell];
                    let others = if down { &c.above } else { &c.below };
                    let mean = others.iter().map(|&o| place[o]).sum::<f64>() / others.len().max(1) as f64;
                    (if others.is_empty() { i as f64 } else { mean }, cell)
                })
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            layout.layers[l] = keyed.into_iter().map(|(_, cell)| cell).collect();
            for (i, &cell) in layout.layers[l].iter().enumerate() {
                place[cell] = i as f64;
            }
        }
        let crossings = n_crossings(layout);
        if crossings < best.0 {
            best = (crossings, layout.layers.clone());
        }
    }
    layout.layers = best.1;
}

/// The positions nearest to the wanted ones (in the square, by weight) that keep the order and the distances:
/// pool adjacent violators on the positions less the distances before them.
fn separate(wanted: &[(f64, f64)], extents: &[(f64, f64)]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0.0;
    for i in 0..wanted.len() {
        if i > 0 {
            offset += extents[i - 1].1 + extents[i].0 + GAP_X;
        }
        offsets.push(offset);
    }
    // Blocks of equal shifted position: mean, weight, length.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (&(x, weight), offset) in wanted.iter().zip(&offsets) {
        let mut block = (x - offset, weight, 1);
        while let Some(&(mean, w, n)) = blocks.last() {
            if mean <= block.0 {
                break;
            }
            blocks.pop();
            block = ((mean * w + block.0 * block.1) / (w + block.1), w + block.1, n + block.2);
        }
        blocks.push(block);
    }
    let shifted = blocks.into_iter().flat_map(|(mean, _, n)| std::iter::repeat_n(mean, n));
    shifted.zip(&offsets).map(|(m, o)| m + o).collect()
}

fn position(layout: &mut Layout) {
    for sweep in 0..N_POSITION_SWEEPS {
        let n_layers = layout.layers.len();
        for step in 0..n_layers {
            let l = if sweep % 2 == 0 { step } else { n_layers - 1 - step };
            let layer = &layout.layers[l];
            let wanted: Vec<(f64, f64)> = layer
                .iter()
                .map(|&cell| {
                    let c = &layout.cells[cell];
                    let (above, below) = (&c.above, &c.below);
                    let others: Vec<usize> = match (sweep == 0, sweep % 2 == 0) {
                        (true, _) => above.clone(),
                        (false, true) if !above.is_empty() => above.clone(),
                        (false, false) if !below.is_empty() => below.clone(),
                        _ => above.iter().chain(below).copied().collect(),
                    };
                    if others.is_empty() {
                        return (c.x, 0.1);
                    }
                    let mean = others.iter().map(|&o| layout.cells[o].x).sum::<f64>() / others.len() as f64;
                    (mean, 1.0)
                })
                .collect();
            let extents: Vec<(f64, f64)> =
                layer.iter().map(|&c| (layout.cells[c].left, layout.cells[c].right)).collect();
            let xs = separate(&wanted, &extents);
            for (&cell, x) in layer.iter().zip(xs) {
                layout.cells[cell].x = x;
            }
        }
    }
}

fn render(graph: &Graph, layout: &Layout, title: &str) -> String {
    let cells = &layout.cells;
    let left = cells.iter().map(|c| c.x - c.left).fold(f64::INFINITY, f64::min) - 12.0;
    let right = cells.iter().map(|c| c.x + c.right).fold(f64::NEG_INFINITY, f64::max) + 12.0;
    let mut y = 12.0;
    let mut middle = Vec::with_capacity(layout.layers.len());
    let mut half_height = Vec::with_capacity(layout.layers.len());
    for layer in &layout.layers {
        let height = layer.iter().map(|&c| cells[c].height).fold(0.0, f64::max);
        middle.push(y + height / 2.0);
        half_height.push(height / 2.0);
        // A layer without anything to read needs no room of its own.
        y += height + if height > 0.0 { GAP_Y } else { GAP_Y / 2.0 };
    }
    let (width, height) = (right - left, y + 4.0);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"graph\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" xmlns=\"http://www.w3.org/2000/svg\">",
        xml(title)
    );
    let at = |cell: usize| (cells[cell].x - left, middle[cells[cell].layer]);
    for (i, edge) in graph.edges.iter().enumerate() {
        let ids: Vec<String> = edge.ids.iter().map(u32::to_string).collect();
        let _ = write!(out, "<g class=\"edge {}\" data-edges=\"{}\">", edge.class, ids.join(" "));
        match &layout.routes[i] {
            Some((route, upwards)) => {
                // Where the edge enters and leaves each layer.
                let mut spans: Vec<(f64, f64, f64)> = Vec::with_capacity(route.len());
                for (k, &cell) in route.iter().enumerate() {
                    let (x, y) = at(cell);
                    let layer = half_height[cells[cell].layer];
                    let own = cells[cell].height / 2.0;
                    spans.push(match k {
                        0 => (x, y + own, y + layer),
                        _ if k + 1 == route.len() => (x, y - layer, y - own),
                        _ => (x, y - layer, y + layer),
                    });
                }
                let (first, last) = (spans[0], spans[spans.len() - 1]);
                let (arrow, tip) = if *upwards { ((first.0, first.1), 1.0) } else { ((last.0, last.2), -1.0) };
                let _ = write!(out, "<path d=\"M{:.1} {:.1}V{:.1}", first.0, first.1, first.2);
                for pair in spans.windows(2) {
                    let ((x0, _, y0), (x1, y1, end)) = (pair[0], pair[1]);
                    let half = (y0 + y1) / 2.0;
                    let _ = write!(out, "C{x0:.1} {half:.1} {x1:.1} {half:.1} {x1:.1} {y1:.1}V{end:.1}");
                }
                out.push_str("\"/>");
                let (x, y) = arrow;
                let base = y + tip * 8.0;
                let _ = write!(
                    out,
                    "<polygon points=\"{x:.1},{y:.1} {:.1},{base:.1} {:.1},{base:.1}\"/>",
                    x - 4.0,
                    x + 4.0
                );
                if let Some(cell) = layout.label_cells[i] {
                    let (x, y) = at(cell);
                    lines(&mut out, &edge.lines, x + 5.0, y, "start");
                }
            }
            None => {
                // A loop at its node, at the right-hand side.
                let (x, y) = at(edge.from);
                let x = x + cells[edge.from].left;
                let _ = write!(
                    out,
                    "<path d=\"M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}\"/>",
                    y - 6.0,
                    x + 34.0,
                    y - 18.0,
                    x + 34.0,
                    y + 18.0,
                    y + 6.0
                );
                let _ = write!(
                    out,
                    "<polygon points=\"{x:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\"/>",
                    y + 6.0,
                    x + 8.0,
                    y + 4.0,
                    x + 7.0,
                    y + 12.0
                );
                lines(&mut out, &edge.lines, x + 32.0, y, "start");
            }
        }
        out.push_str("</g>\n");
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        let (x, y) = at(i);
        let (w, h) = (2.0 * cells[i].left, cells[i].height);
        let line = node.source_line.map_or(String::new(), |l| format!(" data-line=\"{l}\""));
        let _ = write!(
            out,
            "<g class=\"node {}\"{line}><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"5\"/>",
            node.class,
            xml(&node.title),
            x - w / 2.0,
            y - h / 2.0
        );
        lines(&mut out, &node.lines, x, y, "middle");
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn lines(out: &mut String, lines: &[String], x: f64, y: f64, anchor: &str) {
    let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
    for (i, line) in lines.iter().enumerate() {
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            first + i as f64 * LINE,
            xml(line)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            nodes: (0..n).map(|i| Node { lines: vec![format!("node {i}")], ..Node::default() }).collect(),
            edges: edges
                .iter()
                .map(|&(from, to)| Edge { from, to, lines: vec![format!("{from}→{to}")], ..Edge::default() })
                .collect(),
        }
    }

    fn laid_out(g: &Graph) -> Layout {
        let mut layout = layered(g).expect("small enough");
        order(&mut layout);
        position(&mut layout);
        layout
    }

    #[test]
    fn no_two_boxes_of_a_layer_overlap_and_edges_go_down() {
        let g = graph(7, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (3, 4), (4, 4), (2, 5), (5, 6), (6, 2), (0, 6)]);
        let layout = laid_out(&g);
        for layer in &layout.layers {
            for pair in layer.windows(2) {
                let (a, b) = (&layout.cells[pair[0]], &layout.cells[pair[1]]);
                assert!(a.x + a.right < b.x - b.left + 1e-6);
            }
        }
        for (i, e) in g.edges.iter().enumerate().filter(|(_, e)| e.from != e.to) {
            let (route, upwards) = layout.routes[i].as_ref().expect("a route");
            assert!(route.windows(2).all(|p| layout.cells[p[0]].layer + 1 == layout.cells[p[1]].layer));
            let ends = (route[0], route[route.len() - 1]);
            assert_eq!(ends, if *upwards { (e.to, e.from) } else { (e.from, e.to) });
        }
    }

    #[test]
    fn a_drawable_crossing_free_graph_is_drawn_without_crossings() {
        let g = graph(6, &[(0, 1), (0, 2), (2, 3), (1, 4), (3, 5), (4, 5)]);
        assert_eq!(n_crossings(&laid_out(&g)), 0);
    }

    #[test]
    fn positions_are_nearest_in_the_square() {
        // Both want 0: they end up around it, as far apart as they must be.
        let xs = separate(&[(0.0, 1.0), (0.0, 1.0)], &[(5.0, 5.0), (5.0, 5.0)]);
        assert!((xs[0] + xs[1]).abs() < 1e-9 && (xs[1] - xs[0] - 10.0 - GAP_X).abs() < 1e-9);
        assert_eq!(separate(&[(0.0, 1.0), (500.0, 1.0)], &[(5.0, 5.0), (5.0, 5.0)]), [0.0, 500.0]);
    }

    #[test]
    fn text_is_escaped_and_large_graphs_are_refused() {
        let mut g = graph(2, &[(0, 1)]);
        g.nodes[0].lines = vec!["a < b && \"c\"".to_string()];
        let svg = draw(&g, "<title>").expect("a picture");
        assert!(svg.contains("a &lt; b &amp;&amp; &quot;c&quot;") && svg.contains("&lt;title&gt;"));
        assert!(draw(&graph(MAX_NODES + 1, &[]), "").is_none() && draw(&Graph::default(), "").is_none());
    }
}
