//! What is told of a violation, word for word: for each kind of violation a program in `tests/violations` and, beside
//! it, the answer. The answers were compared with what gcc's sanitizers say about the same programs.
//!
//! After a change of words, `UPDATE=1 cargo test --test violations` writes the answers anew: read them before they are
//! committed.

use std::path::Path;
use std::process::Command;

#[test]
fn violations_say_why() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/violations");
    let mut programs: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 25, "{} programs", programs.len());
    let mut wrong = Vec::new();
    for program in &programs {
        let text = std::fs::read_to_string(program).unwrap();
        let property = text.lines().next().and_then(|l| l.strip_prefix("// property: ")).unwrap();
        let name = program.file_name().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_craig"))
            .current_dir(&folder)
            .args(["check", "--timeout", "60", "--property", property])
            .arg(name)
            .output()
            .unwrap();
        // Which engine is first is nobody's business.
        let said: String = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|l| format!("{}\n", l.split(" (engine ").next().unwrap_or_default()))
            .collect();
        assert!(!said.contains(" may "), "{said}");
        let expected = program.with_extension("txt");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &said).unwrap();
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", name.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
