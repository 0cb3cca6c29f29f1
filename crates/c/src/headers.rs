//! The headers of the C library and of POSIX, as declarations and macros of our own, and the predefined macros.
//!
//! Types have the layouts, and macros the values, of glibc on x86; only what programs need to compile is declared. The
//! meaning of the functions lives in the library models. Every header guards itself, and types that several headers
//! share come from internal ones (`craig/…`).

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

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

/// Whether the library has a function of this name: one of the built-in headers declares it.
pub fn declares(function: &str) -> bool {
    static DECLARED: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let declared = DECLARED.get_or_init(|| {
        // Macros declare nothing.
        let lines = FILES.iter().flat_map(|(_, text)| text.lines()).filter(|line| !line.starts_with('#'));
        let heads = lines.flat_map(|line| line.match_indices('(').map(|(at, _)| &line[..at]));
        heads.filter_map(|head| head.rsplit(|c| !is_word(c)).next()).filter(|name| !name.is_empty()).collect()
    });
    declared.contains(function)
}

/// The names of all built-in headers.
pub fn names() -> impl Iterator<Item = &'static str> {
    ["assert.h", "memory.h"].into_iter().chain(FILES.iter().map(|(name, _)| *name))
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
    "aio.h" "alloca.h" "argp.h" "arpa/inet.h" "asm/types.h" "byteswap.h" "complex.h" "cpio.h" "cpuid.h"
    "craig/locale.h" "craig/opaque.h" "craig/posix.h" "craig/sigset.h" "craig/timespec.h" "craig/wide.h" "ctype.h"
    "dirent.h" "dlfcn.h" "endian.h" "err.h" "errno.h" "error.h" "execinfo.h" "fcntl.h" "features.h" "fenv.h" "float.h"
    "fmtmsg.h" "fnmatch.h" "ftw.h" "getopt.h" "glob.h" "goblint.h" "grp.h" "iconv.h" "ifaddrs.h" "inttypes.h"
    "iso646.h" "klee/klee.h" "langinfo.h" "libgen.h" "limits.h" "linux/limits.h" "linux/types.h" "locale.h" "malloc.h"
    "math.h" "mntent.h" "monetary.h" "mqueue.h" "net/ethernet.h" "net/if.h" "netdb.h" "netinet/in.h" "netinet/ip.h"
    "netinet/tcp.h" "netinet/udp.h" "nl_types.h" "paths.h" "poll.h" "pthread.h" "pwd.h" "regex.h" "sched.h"
    "seahorn/seahorn.h" "search.h" "semaphore.h" "setjmp.h" "signal.h" "spawn.h" "stdalign.h" "stdarg.h" "stdatomic.h"
    "stdbit.h" "stdbool.h" "stdckdint.h" "stddef.h" "stdint.h" "stdio.h" "stdlib.h" "stdnoreturn.h" "string.h"
    "strings.h" "sys/auxv.h" "sys/cdefs.h" "sys/epoll.h" "sys/errno.h" "sys/eventfd.h" "sys/fcntl.h" "sys/file.h" "sys/inotify.h"
    "sys/ioctl.h" "sys/ipc.h" "sys/mman.h" "sys/mount.h" "sys/msg.h" "sys/param.h" "sys/poll.h" "sys/prctl.h"
    "sys/queue.h" "sys/random.h" "sys/reboot.h" "sys/resource.h" "sys/select.h" "sys/sem.h" "sys/sendfile.h"
    "sys/shm.h" "sys/signal.h" "sys/signalfd.h" "sys/socket.h" "sys/stat.h" "sys/statfs.h" "sys/statvfs.h"
    "sys/syscall.h" "sys/sysinfo.h" "sys/syslog.h" "sys/sysmacros.h" "sys/termios.h" "sys/time.h" "sys/timeb.h"
    "sys/timerfd.h" "sys/times.h" "sys/types.h" "sys/uio.h" "sys/un.h" "sys/unistd.h" "sys/utsname.h" "sys/vfs.h"
    "sys/wait.h" "sys/xattr.h" "syscall.h" "sysexits.h" "syslog.h" "tar.h" "termios.h" "tgmath.h" "threads.h" "time.h"
    "uchar.h" "ucontext.h" "ulimit.h" "unistd.h" "utime.h" "utmp.h" "values.h" "wait.h" "wchar.h" "wctype.h"
    "wordexp.h"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_functions() {
        assert!(declares("strxfrm") && declares("fgets") && declares("strerror_r"));
        assert!(!declares("f") && !declares("get") && !declares(""));
    }

    #[test]
    fn names_are_in_order() {
        assert!(FILES.is_sorted_by_key(|(name, _)| name));
    }
}
