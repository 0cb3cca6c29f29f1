//! Boogie programs with threads, as engines see them.

use base::SourceMap;
use ir::Icfg;
use logic::TermPool;

pub(crate) struct Program {
    pub(crate) pool: TermPool,
    pub(crate) icfg: Icfg,
}

pub(crate) fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("threads.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    let (icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("it is small");
    Program { pool, icfg }
}
