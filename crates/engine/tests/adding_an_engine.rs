//! The engine of docs/adding-an-engine.md: it compiles, it is what the page shows, and the checker accepts its proofs.

#[path = "adding_an_engine/control_flow.rs"]
mod control_flow;

use base::{Budget, SourceMap};
use control_flow::ControlFlow;
use engine::{Ctx, Engine, Silent, Task};
use ir::{Icfg, Property, Verdict};
use logic::TermPool;

fn verdict(text: &str) -> (TermPool, Icfg, Verdict) {
    let mut sources = SourceMap::new();
    let file = sources.add("page.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    let (icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("it is small");
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let verdict =
        ControlFlow.run(&mut Ctx::new(&mut pool, &budget, &mut observer), &Task::new(&icfg, &Property::UnreachCall));
    (pool, icfg, verdict)
}

#[test]
fn proofs_are_accepted_and_errors_are_seen() {
    let (mut pool, icfg, found) = verdict("procedure main() { var x: int; while (x < 9) { x := x + 1; } }");
    let Verdict::Holds(certificate) = found else { panic!("{found:?}") };
    let options = check::Options { paranoid: true };
    assert_eq!(check::check_certificate(&mut pool, &icfg, &certificate, options, &Budget::unlimited()), Ok(()));
    let (_, _, found) = verdict("procedure main() { var x: int; assert x > 0; }");
    assert!(matches!(found, Verdict::Unknown(_)), "{found:?}");
}

#[test]
fn the_page_shows_this_engine() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/adding-an-engine.md"));
    let page = page.expect("the page");
    let engine = include_str!("adding_an_engine/control_flow.rs");
    assert!(page.contains(engine), "docs/adding-an-engine.md shows another engine than the one that is compiled");
}
