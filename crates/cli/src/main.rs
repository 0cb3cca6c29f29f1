//! The command line of Craig. This crate owns arguments, input and output, the clock and exit codes;
//! everything else is in the libraries.

#[macro_use]
mod output;

mod all;
mod args;
mod baseline;
mod bench;
mod cache;
mod check;
mod compare;
mod database;
mod dump;
mod evidence;
mod exit;
mod explain;
mod git;
mod host;
mod itp;
mod limits;
mod link;
mod lsp;
mod ltl;
mod many;
mod on_cluster;
mod programs;
mod progress;
mod property;
mod serve;
mod show;
mod slurm;
mod smt;
mod tree;
mod units;
mod upgrade;
mod validate;
mod web_worker;
mod worker;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

/// Enough for recursive descent over generated programs; it is reserved, not used.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = Cli::parse();
    limits::quiet_panics();
    if cli.worker {
        limits::end_with_parent();
    }
    let worker = std::thread::Builder::new().name("craig".to_string()).stack_size(STACK_BYTES);
    let handle = worker.spawn(move || run(cli)).expect("a thread can be started");
    let status = handle.join().unwrap_or_else(|_| limits::after_panic());
    ExitCode::from(status)
}

fn run(cli: Cli) -> u8 {
    match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Upgrade(args) => upgrade::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Smt(args) => smt::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Itp(args) => itp::run(&args),
        Command::Ltl(args) => ltl::run(&args),
        Command::Engines => list_engines(),
        Command::Dump(args) => dump::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Lsp => lsp::run(),
        Command::Serve(args) => serve::run(&args),
        Command::WebWorker => web_worker::run(),
        Command::Completions { shell } => completions(shell),
        Command::Man => manual_page(),
    }
}

/// Completions and manual page come from the same table of options as the help.
fn completions(shell: clap_complete::Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "craig", &mut text);
    output::write(&text);
    exit::HOLDS
}

fn manual_page() -> u8 {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let title = format!("craig {}", sub.get_name());
        let _ = writeln!(page, ".SH \"{}\"", title.to_uppercase());
        let man = clap_mangen::Man::new(sub.clone().bin_name(title));
        let _ = man.render_synopsis_section(&mut page);
        let _ = man.render_description_section(&mut page);
        let _ = man.render_options_section(&mut page);
    }
    output::write(&page);
    exit::HOLDS
}

fn list_engines() -> u8 {
    let properties =
        [("unreach-call", "safety properties"), ("termination", "termination"), ("ltl", "temporal properties")];
    println!("{:24} what it does", "engine");
    println!("{:24} runs several engines under one budget and takes the first certified answer", "auto (default)");
    for engine in engine::engines() {
        println!("{:24} {}", engine.name(), engine.summary());
        let supported: Vec<&str> = properties
            .into_iter()
            .filter(|(name, _)| property::by_name(name).is_some_and(|p| engine.supports(&p)))
            .map(|(_, shown)| shown)
            .collect();
        println!("{:24}   properties: {}", "", supported.join(", "));
        let profile = engine.profile();
        let gives: Vec<&str> = profile.gives.iter().map(|g| g.name()).collect();
        let needs: Vec<&str> = profile.needs.iter().map(|n| n.name()).collect();
        let needs = if needs.is_empty() { String::new() } else { format!("; needs {}", needs.join(", ")) };
        println!("{:24}   gives {}{needs}", "", gives.join(", "));
    }
    exit::HOLDS
}
