//! The command line of Craig. This crate owns arguments, input and output, the clock and exit codes;
//! everything else is in the libraries.

mod all;
mod args;
mod check;
mod compare;
mod dump;
mod evidence;
mod itp;
mod limits;
mod portfolio;
mod property;
mod show;
mod smt;
mod tree;
mod validate;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit statuses, part of the contract with other programs.
pub mod exit {
    pub const HOLDS: u8 = 0;
    pub const VIOLATED: u8 = 1;
    pub const BAD_INPUT: u8 = 2;
    pub const UNKNOWN: u8 = 3;
}

/// Enough for recursive descent over generated programs; it is reserved, not used.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = Cli::parse();
    limits::quiet_panics();
    let worker = std::thread::Builder::new().name("craig".to_string()).stack_size(STACK_BYTES);
    let handle = worker.spawn(move || run(cli)).expect("a thread can be started");
    let status = handle.join().unwrap_or(exit::UNKNOWN);
    ExitCode::from(status)
}

fn run(cli: Cli) -> u8 {
    match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Smt(args) => smt::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Itp(args) => itp::run(&args),
        Command::Engines => list_engines(),
        Command::Dump(args) => dump::run(&args),
    }
}

fn list_engines() -> u8 {
    let properties = ["unreach-call", "termination"];
    println!("{:24} what it does", "engine");
    println!("{:24} runs several engines under one budget and takes the first certified answer", "auto (default)");
    for engine in engine::engines() {
        println!("{:24} {}", engine.name(), engine.summary());
        let supported: Vec<&str> = properties
            .into_iter()
            .filter(|p| property::by_name(p).is_some_and(|p| engine.supports(&p)))
            .map(|p| if p == "unreach-call" { "safety properties" } else { p })
            .collect();
        println!("{:24}   properties: {}", "", supported.join(", "));
    }
    exit::HOLDS
}
