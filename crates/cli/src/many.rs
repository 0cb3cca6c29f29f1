//! `craig check` for several programs: lists, folders, and the entries of a `compile_commands.json`.
//!
//! Every program is checked in a process of its own ([`crate::worker`]), `--jobs` of them at a time, unless its answer
//! is known from earlier ([`crate::cache`]). Answers are printed in the order of the programs, whichever ends first. On
//! a terminal a table shows what runs; elsewhere nothing but the answers is printed.

use crate::args::{CheckArgs, FailOn, Format};
use crate::cache::{self, Cache};
use crate::exit::usage_error;
use crate::programs::{is_collection, programs_in};
use crate::worker::{self, Job};
use crate::{database, limits, link, show};
use base::Budget;
use ir::Property;
use report::{Answer, FileResult, Kind, ReasonKind};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A program, a property, and the options that the program brings along.
struct Item {
    file: PathBuf,
    property: Property,
    args: CheckArgs,
}

pub(crate) fn run(args: &CheckArgs, properties: &[Property]) -> u8 {
    let programs = match collect(args) {
        Ok(programs) => programs,
        Err(message) => return usage_error(&message),
    };
    let mut items = Vec::new();
    for (file, own) in programs {
        for property in in_program(&file, properties) {
            items.push(Item { file: file.clone(), property, args: own.clone() });
        }
    }
    let found = check_all(&items, args);
    // A program with several formulas has the property if all of them hold.
    let is_one_question =
        properties.len() == 1 && args.files.len() == 1 && !args.files.iter().any(|f| is_collection(f));
    conclude(&found, args, is_one_question)
}

/// Prints what stands for all files together; the exit status. The answers to parts of one question have a RESULT in
/// common.
pub(crate) fn conclude(found: &[FileResult], args: &CheckArgs, is_one_question: bool) -> u8 {
    match args.format {
        // Already printed, one after the other, but for those that were cancelled.
        Format::Text if found.iter().any(is_cancelled) || is_one_question || worst(found) == Kind::BadInput => {
            println!("RESULT: {}", overall(found))
        }
        Format::Text | Format::Github => {}
        Format::Json | Format::Sarif | Format::Junit => {
            let document = match args.format {
                Format::Json => report::json::several(found),
                Format::Junit => report::junit::render(found),
                _ => report::sarif::render(found, env!("CARGO_PKG_VERSION")),
            };
            print!("{document}");
            eprintln!("RESULT: {}", overall(found));
        }
    }
    let summary = summary(found);
    eprintln!("{summary}");
    let kinds = found.iter().map(|f| upgrade_kind(f, args.fail_on));
    kinds.max().unwrap_or(Kind::Holds).exit_status()
}

/// The kind that decides about the exit status: old violations may count as none.
pub(crate) fn upgrade_kind(found: &FileResult, fail_on: FailOn) -> Kind {
    let is_old = || found.upgrade.as_ref().is_some_and(|u| u.present() == Some(report::upgrade::State::Old));
    match found.kind() {
        Kind::Violated if fail_on == FailOn::New && is_old() => Kind::Holds,
        kind => kind,
    }
}

/// The properties to check of a program: `ltl` is every formula that it states.
pub(crate) fn in_program(file: &Path, properties: &[Property]) -> Vec<Property> {
    let text = match properties.contains(&Property::Ltl(None)) {
        true => std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default(),
        false => String::new(),
    };
    properties.iter().flat_map(|p| driver::formula::properties(&text, p)).collect()
}

/// The kind that decides about the exit status.
fn worst(found: &[FileResult]) -> Kind {
    found.iter().map(FileResult::kind).max().unwrap_or(Kind::Holds)
}

/// The RESULT of all files together: that of the first with the worst kind.
fn overall(found: &[FileResult]) -> Answer {
    let worst = worst(found);
    if worst == Kind::BadInput {
        let n_bad = found.iter().filter(|f| f.kind() == worst).count();
        return Answer::Unknown(format!("{n_bad} of {} programs could not be read", found.len()));
    }
    found.iter().find(|f| f.kind() == worst).map_or(Answer::Holds, |f| f.result.clone())
}

fn summary(found: &[FileResult]) -> String {
    let count = |kind: Kind| found.iter().filter(|f| f.kind() == kind).count();
    let cached = found.iter().filter(|f| f.cached).count();
    let cancelled = found.iter().filter(|f| is_cancelled(f)).count();
    let n_files = found.iter().map(|f| &f.file).collect::<BTreeSet<_>>().len();
    let answers = if n_files == found.len() { String::new() } else { format!(", {} answers", found.len()) };
    format!(
        "{n_files} file{}{answers}: {} hold, {} violated, {} unknown, {} not readable{}{}",
        if n_files == 1 { "" } else { "s" },
        count(Kind::Holds),
        count(Kind::Violated),
        count(Kind::Unknown),
        count(Kind::BadInput),
        if cached > 0 { format!("; {cached} cached") } else { String::new() },
        if cancelled > 0 { format!("; {cancelled} cancelled") } else { String::new() }
    )
}

/// Was it stopped by the user, or not even begun then?
fn is_cancelled(found: &FileResult) -> bool {
    found.reason_kind == Some(ReasonKind::Cancelled)
}

/// The programs that the arguments stand for, each once.
fn collect(args: &CheckArgs) -> Result<Vec<(PathBuf, CheckArgs)>, String> {
    if args.link {
        let programs = link::linked(args)?;
        return Ok(programs.into_iter().filter_map(|p| Some((p.files.first()?.clone(), p))).collect());
    }
    let mut items = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |file: PathBuf, own: CheckArgs, again: bool| {
        if seen.insert(file.clone()) || again {
            items.push((file, own));
        }
    };
    for path in &args.files {
        if path.is_dir() {
            let mut files = programs_in(path);
            // As one would write it.
            files
                .iter_mut()
                .for_each(|f| *f = f.strip_prefix(".").map(Path::to_path_buf).unwrap_or_else(|_| f.clone()));
            if files.is_empty() {
                return Err(format!("{}: no .c, .i or .bpl file in this folder", path.display()));
            }
            files.into_iter().for_each(|f| add(f, args.clone(), false));
        } else if is_collection(path) {
            for entry in database::read(path, args)? {
                add(entry.file, entry.args, false);
            }
        } else {
            // What was named twice was meant twice.
            add(path.clone(), args.clone(), true);
        }
    }
    Ok(items)
}

fn check_all(items: &[Item], args: &CheckArgs) -> Vec<FileResult> {
    let cache = if args.no_cache || args.baseline.is_some() { None } else { Cache::open() };
    let n_jobs = args.n_jobs();
    let at_once = n_jobs.min(items.len()).max(1);
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let table = Mutex::new(Table::new(items.len(), args.timeout));
    let done: Mutex<Vec<Option<FileResult>>> = Mutex::new(vec![None; items.len()]);
    let printed = Mutex::new(0usize);
    let next = AtomicUsize::new(0);
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(i) else { return };
                        lock(&table).started(i, &item.file);
                        let found = check_one(item, cache.as_ref(), n_jobs / at_once, &budget);
                        lock(&table).ended(i, &found);
                        lock(&done)[i] = Some(found);
                        print_ready(&done, &printed, &table, args);
                    }
                })
            })
            .collect();
        if lock(&table).visible {
            scope.spawn(|| {
                while !finished.load(Ordering::Relaxed) {
                    lock(&table).draw();
                    std::thread::sleep(Duration::from_millis(100));
                }
            });
        }
        for worker in workers {
            let _ = worker.join();
        }
        finished.store(true, Ordering::Relaxed);
    });
    lock(&table).clear();
    let done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.into_iter()
        .zip(items)
        .map(|(found, item)| {
            let file = item.file.display().to_string();
            let internal = ir::Reason::Internal("no result".to_string());
            found.unwrap_or_else(|| FileResult::unknown(&file, item.property.name(), &internal))
        })
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn check_one(item: &Item, cache: Option<&Cache>, jobs: usize, budget: &Budget) -> FileResult {
    let key = cache.and_then(|_| cache::key(&item.file, &item.property, &item.args));
    if let (Some(cache), Some(key)) = (cache, &key)
        && let Some(found) = cache.find(key)
    {
        return found;
    }
    let job = Job::new(&item.file, &item.property, &item.args, jobs);
    let found = worker::run(&job, &|| budget.check_now().is_err());
    if let (Some(cache), Some(key)) = (cache, &key) {
        cache.put(key, &found);
    }
    found
}

/// Prints the answers whose predecessors are all printed.
fn print_ready(done: &Mutex<Vec<Option<FileResult>>>, printed: &Mutex<usize>, table: &Mutex<Table>, args: &CheckArgs) {
    if !matches!(args.format, Format::Text | Format::Github) {
        return;
    }
    let mut printed = lock(printed);
    loop {
        let found = match lock(done).get(*printed) {
            Some(Some(found)) => found.clone(),
            _ => return,
        };
        *printed += 1;
        // After an interrupt, all that was not finished would only push the answers off the screen.
        if is_cancelled(&found) && args.format == Format::Text {
            continue;
        }
        let mut table = lock(table);
        table.clear();
        for problem in &found.problems {
            eprint!("{}", problem.rendered);
        }
        show::print(&show::document(&found, args.format, args.stats), &found, args.format);
    }
}

/// What runs, shown on a terminal: a line for each check with the share of its time used, and a line for all. What
/// matters most comes first, as a narrow terminal cuts lines off.
struct Table {
    visible: bool,
    timeout: Duration,
    n_all: usize,
    running: Vec<(usize, String, Instant)>,
    /// How many ended in each kind.
    ended: Vec<(Kind, usize)>,
    n_lines: usize,
}

/// More checks than this are not listed.
const MAX_ROWS: usize = 8;
const MAX_COLUMNS: usize = 79;
const BAR: usize = 12;

/// A bar of which a share is full.
fn bar(share: f64) -> String {
    let full = ((share * BAR as f64) as usize).min(BAR);
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

impl Table {
    fn new(n_all: usize, timeout: Duration) -> Table {
        let ended = [Kind::Holds, Kind::Violated, Kind::Unknown, Kind::BadInput].map(|k| (k, 0)).to_vec();
        let visible = std::io::stderr().is_terminal();
        Table { visible, timeout, n_all, running: Vec::new(), ended, n_lines: 0 }
    }

    fn started(&mut self, i: usize, file: &Path) {
        self.running.push((i, file.display().to_string(), Instant::now()));
    }

    fn ended(&mut self, i: usize, found: &FileResult) {
        self.running.retain(|(j, ..)| *j != i);
        for (kind, n) in &mut self.ended {
            *n += usize::from(*kind == found.kind());
        }
    }

    fn clear(&mut self) {
        let n_lines = std::mem::take(&mut self.n_lines);
        if n_lines > 0 {
            // Back to the first line, and nothing below.
            let up = if n_lines > 1 { format!("\x1b[{}A", n_lines - 1) } else { String::new() };
            eprint!("\r{up}\x1b[J");
            let _ = std::io::stderr().flush();
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (_, file, since) in self.running.iter().take(MAX_ROWS) {
            let seconds = since.elapsed().as_secs_f64();
            let bar = bar(seconds / self.timeout.as_secs_f64().max(1e-3));
            let path = Path::new(file);
            let name = path.file_name().map_or(file.clone(), |n| n.to_string_lossy().into_owned());
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            let folder = folder.map_or(String::new(), |p| format!("  ({})", p.display()));
            lines.push(format!("{seconds:6.1} s {bar} {name}{folder}"));
        }
        let n_done: usize = self.ended.iter().map(|(_, n)| n).sum();
        let [holds, violated, unknown, bad] = [0, 1, 2, 3].map(|i| self.ended[i].1);
        let bar = bar(n_done as f64 / self.n_all.max(1) as f64);
        let done = format!("{n_done}/{}", self.n_all);
        lines.push(format!("{done:>8} {bar} {holds} hold, {violated} violated, {unknown} unknown, {bad} not readable"));
        // A terminal that is made narrower breaks longer lines, and the rows could not be found again.
        lines.iter().map(|l| l.chars().take(MAX_COLUMNS).collect()).collect()
    }

    fn draw(&mut self) {
        if !self.visible {
            return;
        }
        self.clear();
        let lines = self.lines();
        self.n_lines = lines.len();
        // Long lines are cut off, not wrapped: then there are as many rows as lines, however narrow the terminal.
        eprint!("\x1b[?7l{}\x1b[?7h", lines.join("\r\n"));
        let _ = std::io::stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_answer_decides() {
        let found = |r: &str| FileResult::bare("f", "p", Answer::from(r.to_string()));
        assert_eq!(worst(&[found("true"), found("unknown(x)")]), Kind::Unknown);
        assert_eq!(worst(&[found("error"), found("unknown(x)"), found("true")]), Kind::BadInput);
        assert_eq!(worst(&[found("false(p)"), found("error")]), Kind::Violated);
        assert_eq!(overall(&[found("true"), found("false(p)")]), Answer::Violated("p".into()));
        assert_eq!(overall(&[]), Answer::Holds);
    }

    #[test]
    fn the_table_has_a_row_for_each_running_check() {
        let mut table = Table::new(3, Duration::from_secs(10));
        table.started(0, Path::new("a.c"));
        table.started(1, Path::new("b.c"));
        table.ended(0, &FileResult::bare("a.c", "p", Answer::Holds));
        let lines = table.lines();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].contains("b.c") && lines[1].contains("1/3") && lines[1].contains("1 hold"));
    }
}
