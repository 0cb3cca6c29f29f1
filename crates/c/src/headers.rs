//! The headers of the C library and of POSIX, as declarations and macros of our own, and the predefined macros.
//!
//! Types have the layouts, and macros the values, of glibc on x86; only what programs need to compile is declared. The meaning of
//! the functions lives in the library models. Every header guards itself, and types that several headers share come from internal ones
//! (`craig/…`).

use crate::DataModel;

/// The macros a compiler for x86 predefines under the data model.
pub fn predefined(model: DataModel) -> String {
    let mut text = String::from(include_str!("headers/craig/predefined.h"));
    text.push_str(match model {
        DataModel::Lp64 => include_str!("headers/craig/predefined_lp64.h"),
        DataModel::Ilp32 => include_str!("headers/craig/predefined_ilp32.h"),
    });
    text
}

/// The headers of functions that work with memory and numbers of the program.
const LIBRARY: &[&str] = &[
    "ctype.h",
    "fenv.h",
    "inttypes.h",
    "math.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "wchar.h",
];

/// Functions on buffers that the built-in headers do not declare.
const OTHERS: &[&str] = &[
    "confstr",
    "fgetws",
    "fputws",
    "getcwd",
    "getdelim",
    "gethostname",
    "getline",
    "gets",
    "getwd",
    "mbsrtowcs",
    "mbstowcs",
    "memccpy",
    "mempcpy",
    "memrchr",
    "pread",
    "pwrite",
    "rawmemchr",
    "readlink",
    "realpath",
    "recv",
    "recvfrom",
    "send",
    "sendto",
    "strcoll",
    "strfmon",
    "strftime",
    "strlcat",
    "strlcpy",
    "strverscmp",
    "strxfrm",
    "swab",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "wcsrtombs",
    "wcstombs",
    "wmemcmp",
    "wmemcpy",
    "wmemmove",
    "wmemset",
    "write",
];

/// Whether the standard library has a function of this name: one of the built-in headers declares it.
pub fn declares(function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let declared_in = |header: &str| {
        let text = builtin(header).unwrap_or_default();
        text.match_indices(function).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + function.len()..]);
            !before.ends_with(is_word)
                && (after.trim_start().starts_with('(') || before.ends_with("__F1(") || before.ends_with("__F2("))
                && !after.starts_with(is_word)
        })
    };
    let stem = function.strip_suffix(['f', 'l']).filter(|s| !s.is_empty());
    !function.is_empty()
        && (OTHERS.contains(&function) || LIBRARY.iter().any(|h| declared_in(h)) || declares_as_family(stem))
}

/// Whether `math.h` declares a function for all three types of floating numbers.
fn declares_as_family(stem: Option<&str>) -> bool {
    let text = builtin("math.h").unwrap_or_default();
    stem.is_some_and(|s| text.contains(&format!("__F1({s})")) || text.contains(&format!("__F2({s})")))
}

/// The text of a built-in header.
pub fn builtin(name: &str) -> Option<&'static str> {
    let name = match name {
        "memory.h" => "string.h",
        other => other,
    };
    match name {
        "craig/types.h" => Some(TYPES),
        "assert.h" => Some(ASSERT),
        _ => FILES.binary_search_by_key(&name, |(n, _)| n).ok().map(|i| FILES[i].1),
    }
}

const TYPES: &str = "#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
";

// `assert` has no guard: NDEBUG may change between two inclusions.
const ASSERT: &str = "
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#undef static_assert
#define static_assert _Static_assert
";

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("headers/", $name)))),*]
    };
}

/// The headers that are files, in order of their names.
const FILES: &[(&str, &str)] = files! {
    "aio.h" "alloca.h" "arpa/inet.h" "asm/types.h" "byteswap.h" "complex.h" "cpio.h" "craig/locale.h"
    "craig/posix.h" "craig/sigset.h" "craig/timespec.h" "craig/wide.h" "ctype.h" "dirent.h" "dlfcn.h"
    "endian.h" "err.h" "errno.h" "error.h" "execinfo.h" "fcntl.h" "features.h" "fenv.h" "float.h" "fmtmsg.h"
    "fnmatch.h" "ftw.h" "getopt.h" "glob.h" "grp.h" "iconv.h" "inttypes.h" "iso646.h" "langinfo.h" "libgen.h"
    "limits.h" "linux/limits.h" "linux/types.h" "locale.h" "malloc.h" "math.h" "monetary.h" "mqueue.h"
    "net/if.h" "netdb.h" "netinet/in.h" "netinet/tcp.h" "nl_types.h" "poll.h" "pthread.h" "pwd.h" "regex.h"
    "sched.h" "search.h" "semaphore.h" "setjmp.h" "signal.h" "spawn.h" "stdalign.h" "stdarg.h" "stdatomic.h"
    "stdbool.h" "stdckdint.h" "stddef.h" "stdint.h" "stdio.h" "stdlib.h" "stdnoreturn.h" "string.h"
    "strings.h" "sys/cdefs.h" "sys/epoll.h" "sys/errno.h" "sys/eventfd.h" "sys/fcntl.h" "sys/file.h"
    "sys/inotify.h" "sys/ioctl.h" "sys/ipc.h" "sys/mman.h" "sys/msg.h" "sys/param.h" "sys/poll.h"
    "sys/prctl.h" "sys/random.h" "sys/reboot.h" "sys/resource.h" "sys/select.h" "sys/sem.h" "sys/sendfile.h"
    "sys/shm.h" "sys/signal.h" "sys/socket.h" "sys/stat.h" "sys/statvfs.h" "sys/sysinfo.h" "sys/syslog.h"
    "sys/termios.h" "sys/time.h" "sys/timerfd.h" "sys/times.h" "sys/types.h" "sys/uio.h" "sys/un.h"
    "sys/unistd.h" "sys/utsname.h" "sys/wait.h" "sysexits.h" "syslog.h" "tar.h" "termios.h" "tgmath.h"
    "threads.h" "time.h" "uchar.h" "ulimit.h" "unistd.h" "utime.h" "values.h" "wait.h" "wchar.h" "wctype.h"
    "wordexp.h"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(FILES.is_sorted_by_key(|(name, _)| name));
    }
}
