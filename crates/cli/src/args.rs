//! What was typed, and the settings that it means.

use crate::units::{parse_duration, parse_size};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ir::blocks::BlockMode;
use std::path::PathBuf;

/// A software model checker: does the program hold its property?
#[derive(Parser, Debug)]
#[command(name = "craig", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    /// This process works for another one and ends with it
    #[arg(long, hide = true)]
    pub worker: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check a C or Boogie program against a property
    Check(CheckArgs),
    /// Check a new version with what is known of an old one: OLD NEW, files or folders
    Upgrade(UpgradeArgs),
    /// Check a witness by anyone: confirm it, reject it, or say that neither was possible
    Validate(ValidateArgs),
    /// Run an SMT-LIB script: decide, prove, interpolate
    Smt(SmtArgs),
    /// Run the engines side by side on the same programs
    Compare(CompareArgs),
    /// Interpolate an unsatisfiable propositional formula, also under assignments
    Itp(crate::itp::ItpArgs),
    /// Translate a temporal formula to a Büchi automaton
    Ltl(crate::ltl::LtlArgs),
    /// List the engines and what each supports
    Engines,
    /// Print what a stage of the translation produced
    Dump(DumpArgs),
    /// Run tasks with expected verdicts: points, plots, comparisons
    Bench(BenchArgs),
    /// Serve an editor: the Language Server Protocol on standard input and output
    Lsp,
    /// Serve the web page: check programs in a browser
    Serve(crate::serve::ServeArgs),
    /// Answer one request of the web page
    #[command(hide = true)]
    WebWorker,
    /// Print the completions for a shell
    Completions {
        /// bash, zsh, fish, …
        shell: clap_complete::Shell,
    },
    /// Print the manual page (read it with `craig man | man -l -`)
    Man,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DataModel {
    #[value(name = "ILP32", alias = "ilp32")]
    Ilp32,
    #[value(name = "LP64", alias = "lp64")]
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Blocks {
    Off,
    Sequence,
    Large,
}

/// How engine `buchi` takes modules away from the words that are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Complement {
    /// By multiplying: nothing is complemented
    None,
    /// By the complement that fits: deterministic, else NCSB
    Auto,
    /// By NCSB
    Ncsb,
    /// By ranks
    Rank,
}

#[derive(Args, Debug, Clone)]
#[command(disable_help_flag = true, arg = short_help())]
pub(crate) struct CheckArgs {
    /// Programs (.c, .i, .bpl), folders, compile_commands.json, or a task (.yml)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The files are one program; of compile_commands.json, those of a target
    #[arg(long)]
    pub link: bool,
    /// With --link: of compile_commands.json, this target; repeatable
    #[arg(long, value_name = "T", requires = "link", hide_short_help = true)]
    pub target: Vec<String>,
    /// The arguments that the program was made of, if it was linked
    #[arg(skip)]
    pub linked_from: Option<Box<CheckArgs>>,
    /// A property by name, e.g. no-overflow, or a .prp file; repeatable
    #[arg(long, short, value_name = "P")]
    pub property: Vec<String>,
    /// The engine: auto, or one that `craig engines` lists
    #[arg(long, short, default_value = "auto", value_name = "E")]
    pub engine: String,
    /// Sizes of C types: LP64 or ILP32 [default: LP64, or the task's]
    #[arg(long, value_enum, value_name = "M", hide_possible_values = true)]
    pub data_model: Option<DataModel>,
    /// How C integers are represented: int, bitvec or auto
    #[arg(long, value_enum, default_value = "auto", value_name = "I", hide_possible_values = true)]
    pub integers: Integers,
    #[command(flatten)]
    pub c: CArgs,
    /// Give up after this time, e.g. 90s, 5m, 500ms
    #[arg(long, default_value = "60s", value_parser = parse_duration, value_name = "T")]
    #[arg(default_value_if("svcomp", "true", Some("870s")))]
    pub timeout: std::time::Duration,
    /// Give up beyond this much memory, e.g. 4GB, 500MB
    #[arg(long, default_value = "4GB", value_parser = parse_size, value_name = "SIZE")]
    #[arg(default_value_if("svcomp", "true", Some("14GB")))]
    pub memory: u64,
    /// As SV-COMP asks: ILP32, witness.yml, its limits, one engine at a time
    #[arg(long)]
    pub svcomp: bool,
    /// Look for all violations, each with the limits above
    #[arg(long)]
    pub all: bool,
    /// Write a witness of the verdict (C; SV-COMP format 2, YAML)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write a C test that fails when linked with the program and run
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,
    /// Output as text, json, sarif, junit or github
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
    /// Merge statements before an engine runs: off, sequence or large
    #[arg(long, value_enum, value_name = "B", hide_possible_values = true)]
    pub blocks: Option<Blocks>,
    /// How buchi subtracts: none, auto, ncsb or rank
    #[arg(
        long,
        value_enum,
        default_value = "none",
        value_name = "K",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub complement: Complement,
    /// Temporal properties: only fair schedules of threads count
    #[arg(long)]
    pub fair: bool,
    /// How many engines or files may run at once [default: all cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Re-check every step of every refutation while checking a certificate
    #[arg(long)]
    pub paranoid: bool,
    /// Print counts, times, and which engines ran when
    #[arg(long)]
    pub stats: bool,
    /// Print what would be tried, in which order, for how long; run nothing
    #[arg(long)]
    pub explain_plan: bool,
    /// Write a page with source, proof or execution, and graphs
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Of several files: check also those that are as they were
    #[arg(long)]
    pub no_cache: bool,
    /// local, or slurm: one job for each engine on a cluster
    #[arg(long, value_enum, default_value = "local", value_name = "WHERE", hide_possible_values = true)]
    pub on: Place,
    /// Use what this folder knows of earlier versions
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Write to --baseline what the answer teaches
    #[arg(long, requires = "baseline", hide_short_help = true)]
    pub update_baseline: bool,
    /// Which violations give exit status 1: any, or new ones
    #[arg(long, value_enum, default_value = "any", value_name = "V", hide_possible_values = true)]
    pub fail_on: FailOn,
    /// Take the program from this revision of its git repository
    #[arg(long, hide = true, value_name = "REV")]
    pub revision: Option<String>,
    /// Take the text of PATH from FILE: what an editor has not saved
    #[arg(long, hide = true, value_name = "PATH=FILE")]
    pub buffer: Vec<String>,
}

/// Which violations make a run fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FailOn {
    /// Every violation
    Any,
    /// Violations that the old version is not known to have
    New,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct UpgradeArgs {
    /// The old version is what git has of the files at this revision; all FILEs are new versions
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    #[command(flatten)]
    pub check: CheckArgs,
}

/// How a program is read.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct CArgs {
    /// Look for headers in this folder too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=V]")]
    pub define: Vec<String>,
    /// The other files of the program
    #[arg(skip)]
    pub linked: Vec<driver::OtherFile>,
    /// Preprocess with this command, e.g. 'gcc -E'
    #[arg(long, value_name = "CMD")]
    pub cpp: Option<String>,
    /// Start in this function, not in main; repeatable; '*': all functions
    #[arg(long, value_name = "F")]
    pub entry: Vec<String>,
    /// Pointers: any, or null,object,array:N,may-alias [default: null,object]
    #[arg(long, value_name = "P", value_parser = parse_pointers, hide_default_value = true)]
    pub pointers: Option<c::lower::entry::Pointers>,
    /// Values of globals when it is called: initial, or any [default: initial]
    #[arg(
        long,
        value_enum,
        value_name = "G",
        default_value = "initial",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub globals: Globals,
    /// Calls use contracts of functions, bodies are checked against them
    #[arg(long)]
    pub modular: bool,
    /// malloc and its like may return null
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// What `/` on integers is in Boogie: boogie (a real), ultimate (div)
    #[arg(long, value_enum, value_name = "D", hide_possible_values = true, hide_short_help = true)]
    pub dialect: Option<Dialect>,
}

/// What globals hold when an entry point is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Globals {
    /// Their initial values
    #[default]
    Initial,
    /// Any values of their types
    Any,
}

fn parse_pointers(text: &str) -> Result<c::lower::entry::Pointers, String> {
    c::lower::entry::Pointers::parse(text)
}

/// Whose Boogie a program is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Dialect {
    Boogie,
    Ultimate,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct ValidateArgs {
    /// The program (.c, .i)
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,
    /// The witness (.yml)
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    /// The property [default: what the witness names]
    #[arg(long, short, value_name = "P")]
    pub property: Option<String>,
    /// Sizes of C types [default: what the witness names]
    #[arg(long, value_enum, value_name = "M")]
    pub data_model: Option<DataModel>,
    #[command(flatten)]
    pub c: CArgs,
    /// Give up after this time, e.g. 90s, 5m, 500ms
    #[arg(long, default_value = "60s", value_parser = parse_duration, value_name = "T")]
    pub timeout: std::time::Duration,
    /// Give up beyond this much memory, e.g. 4GB, 500MB
    #[arg(long, default_value = "4GB", value_parser = parse_size, value_name = "SIZE")]
    pub memory: u64,
}

/// How C integers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Integers {
    /// Mathematical integers; what they cannot express exactly is over-approximated
    Int,
    /// Bit-vectors: exact, floating-point arithmetic included, but slower
    Bitvec,
    /// Mathematical integers first, bit-vectors where those were not exact
    Auto,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct SmtArgs {
    /// The script, or a propositional problem in DIMACS's format (FILE.cnf); `-` or nothing reads a script from
    /// standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Write a refutation of an unsatisfiable FILE.cnf, in LRAT
    #[arg(long, value_name = "PROOF")]
    pub lrat: Option<PathBuf>,
    /// Answer `unknown` to a check after this time, e.g. 10s
    #[arg(long, value_parser = parse_duration, value_name = "T")]
    pub timeout: Option<std::time::Duration>,
    /// Give up beyond this much memory, e.g. 4GB, 500MB
    #[arg(long, default_value = "4GB", value_parser = parse_size, value_name = "SIZE")]
    pub memory: u64,
    /// Print counts to standard error
    #[arg(long)]
    pub stats: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Stage {
    /// The syntax tree
    Ast,
    /// The typed program (as a graph: who calls whom)
    Program,
    /// The control-flow graph
    Icfg,
    /// The graph that engines see: calls inlined, statements merged into blocks
    Blocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DumpFormat {
    Text,
    Dot,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct DumpArgs {
    /// The program (.c, .i, .bpl)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which stage
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub to: DumpFormat,
    /// The property that C programs are instrumented for
    #[arg(long, short, default_value = "unreach-call", value_name = "P")]
    pub property: String,
    /// Sizes of C types
    #[arg(long, value_enum, default_value = "LP64", value_name = "M")]
    pub data_model: DataModel,
    #[command(flatten)]
    pub c: CArgs,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct CompareArgs {
    /// Programs to check (.c, .i, .bpl)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The property, as for `craig check`
    #[arg(long, short, default_value = "unreach-call", value_name = "P")]
    pub property: String,
    /// Only these engines
    #[arg(long, short, value_delimiter = ',', value_name = "E,…")]
    pub engines: Vec<String>,
    /// Sizes of C types
    #[arg(long, value_enum, default_value = "LP64", value_name = "M")]
    pub data_model: DataModel,
    #[command(flatten)]
    pub c: CArgs,
    /// The time for each run
    #[arg(long, default_value = "20s", value_parser = parse_duration, value_name = "T")]
    pub timeout: std::time::Duration,
    /// The memory for each run
    #[arg(long, default_value = "4GB", value_parser = parse_size, value_name = "SIZE")]
    pub memory: u64,
}

/// How the program is to be read.
pub(crate) fn read_options(data_model: DataModel, c: &CArgs) -> driver::ReadOptions {
    driver::ReadOptions {
        data_model: match data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        include_dirs: c.include.clone(),
        builtin_headers_only: false,
        defines: c.define.clone(),
        modular: c.modular,
        linked: c.linked.clone(),
        cpp: c.cpp.clone(),
        entries: c.entry.clone(),
        environment: c::lower::Environment {
            malloc_may_fail: c.malloc_may_fail,
            pointers: c.pointers.unwrap_or_default(),
            any_globals: c.globals == Globals::Any,
        },
        dialect: c.dialect.map(|d| match d {
            Dialect::Boogie => boogie::Dialect::Boogie,
            Dialect::Ultimate => boogie::Dialect::Ultimate,
        }),
    }
}

impl CheckArgs {
    /// The sizes of C types: the host's, unless a task, the competition or the user says otherwise.
    pub(crate) fn data_model(&self) -> DataModel {
        self.data_model.unwrap_or(if self.svcomp { DataModel::Ilp32 } else { DataModel::Lp64 })
    }

    /// How many engines or files run at once. In the competition processor time counts.
    pub(crate) fn n_jobs(&self) -> usize {
        let all = || if self.svcomp { 1 } else { std::thread::available_parallelism().map_or(1, |n| n.get()) };
        self.jobs.unwrap_or_else(all).max(1)
    }

    /// Where a witness goes, if one is wanted.
    pub(crate) fn witness(&self) -> Option<&std::path::Path> {
        self.witness.as_deref().or_else(|| self.svcomp.then_some(std::path::Path::new("witness.yml")))
    }

    /// How the program is to be read.
    pub(crate) fn read_options(&self) -> driver::ReadOptions {
        read_options(self.data_model(), &self.c)
    }

    /// How the answer is to be found; an error if there is no such engine.
    pub(crate) fn settings(&self) -> Result<driver::Settings, String> {
        let engines = driver::Engines::by_name(&self.engine).ok_or_else(|| {
            let names: Vec<&str> = engine::engines().iter().map(|e| e.name()).collect();
            format!("unknown engine '{}'; use auto, {}", self.engine, names.join(", "))
        })?;
        Ok(driver::Settings {
            engines,
            integers: match self.integers {
                Integers::Int => driver::Integers::Int,
                Integers::Bitvec => driver::Integers::Bitvec,
                Integers::Auto => driver::Integers::Auto,
            },
            blocks: self.blocks.map(|b| match b {
                Blocks::Off => BlockMode::Off,
                Blocks::Sequence => BlockMode::Sequence,
                Blocks::Large => BlockMode::Large,
            }),
            complement: match self.complement {
                Complement::None => engine::buchi::Complement::None,
                Complement::Auto => engine::buchi::Complement::Auto,
                Complement::Ncsb => engine::buchi::Complement::Ncsb,
                Complement::Rank => engine::buchi::Complement::Rank,
            },
            n_jobs: self.n_jobs(),
            is_fair: self.fair,
            paranoid: self.paranoid,
            timeout: Some(self.timeout),
            memory: Some(self.memory),
        })
    }

    /// What `craig check FILE` means.
    pub(crate) fn of(file: &std::path::Path) -> CheckArgs {
        match Cli::try_parse_from(["craig".as_ref(), "check".as_ref(), "--".as_ref(), file.as_os_str()]) {
            Ok(Cli { command: Command::Check(args), .. }) => args,
            _ => unreachable!("`craig check -- FILE` is always understood"),
        }
    }
}

#[derive(Args, Debug, Clone)]
pub(crate) struct BenchArgs {
    /// BenchExec task definitions (.yml), sets of them (.set), or folders with some
    #[arg(required_unless_present_any = ["compare", "campaign", "pairs"], value_name = "TASKS")]
    pub tasks: Vec<PathBuf>,
    /// Only tasks of this property
    #[arg(long, short, value_name = "P")]
    pub property: Option<String>,
    /// The engine: auto, or one that `craig engines` lists
    #[arg(long, short, default_value = "auto", value_name = "E")]
    pub engine: String,
    /// The time for each task
    #[arg(long, default_value = "60s", value_parser = parse_duration, value_name = "T")]
    pub timeout: std::time::Duration,
    /// The memory for each task
    #[arg(long, default_value = "4GB", value_parser = parse_size, value_name = "SIZE")]
    pub memory: u64,
    /// How many tasks run at once
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub jobs: usize,
    /// How many engines of a task run at once
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub engine_jobs: usize,
    /// Write the results
    #[arg(long, short, value_name = "FILE.json")]
    pub output: Option<PathBuf>,
    /// Write the results for BenchExec's table-generator
    #[arg(long, value_name = "FILE.xml[.bz2]")]
    pub benchexec: Option<PathBuf>,
    /// Write a quantile plot
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Compare two result files instead of running anything
    #[arg(long, num_args = 2, value_names = ["OLD.json", "NEW.json"], conflicts_with = "tasks")]
    pub compare: Vec<PathBuf>,
    /// Pairs of versions (a table with name, old, new, property, data_model, old_expected, new_expected): old, new,
    /// upgrade
    #[arg(long, value_name = "FILE.tsv", conflicts_with_all = ["tasks", "compare"])]
    pub pairs: Option<PathBuf>,
    /// With --pairs, the time for the old version: what is known of it is given [default: as for the others]
    #[arg(long, value_parser = parse_duration, value_name = "T", requires = "pairs")]
    pub old_timeout: Option<std::time::Duration>,
    /// Define a macro in all programs
    #[arg(short = 'D', value_name = "NAME[=V]")]
    pub define: Vec<String>,
    /// Collect the results in a folder, so that the run can be interrupted and resumed
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// Where a campaign runs: on this machine, or as jobs of a Slurm cluster
    #[arg(long, value_enum, default_value = "local", requires = "campaign", value_name = "WHERE")]
    pub on: Place,
    /// Into how many parts a campaign is cut [default: parts of about seven minutes]
    #[arg(long, requires = "campaign", value_name = "N")]
    pub shards: Option<usize>,
    /// Options for sbatch, e.g. '-p long -A project'
    #[arg(long, requires = "campaign", value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    pub sbatch: String,
    /// Wait for the cluster, submit again what it lost, and print the results
    #[arg(long, requires = "campaign")]
    pub wait: bool,
    /// Times of an earlier run, to cut a campaign evenly
    #[arg(long, requires = "campaign", value_name = "OLD.json")]
    pub predict: Option<PathBuf>,
    /// Print how far a campaign is
    #[arg(long, requires = "campaign", conflicts_with_all = ["tasks", "resume", "merge", "cancel", "shard"])]
    pub status: bool,
    /// Go on with a campaign: run or submit what has no result and no job
    #[arg(long, requires = "campaign", conflicts_with_all = ["tasks", "merge", "cancel", "shard"])]
    pub resume: bool,
    /// Print and write the results of a campaign
    #[arg(long, requires = "campaign", conflicts_with_all = ["tasks", "cancel", "shard"])]
    pub merge: bool,
    /// Cancel the jobs of a campaign; results stay
    #[arg(long, requires = "campaign", conflicts_with_all = ["tasks", "shard"])]
    pub cancel: bool,
    /// Run one part of a campaign (what a job does)
    #[arg(long, requires = "campaign", conflicts_with = "tasks", value_name = "K")]
    pub shard: Option<usize>,
}

/// Where work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Place {
    Local,
    Slurm,
}

impl Default for BenchArgs {
    /// What `craig bench .` means.
    fn default() -> BenchArgs {
        match Cli::try_parse_from(["craig", "bench", "."]) {
            Ok(Cli { command: Command::Bench(args), .. }) => args,
            _ => unreachable!("`craig bench .` is always understood"),
        }
    }
}

/// `--help` prints the short form: it has to fit a screen.
fn short_help() -> clap::Arg {
    clap::Arg::new("help").short('h').long("help").action(clap::ArgAction::HelpShort).help("Print this help")
}
