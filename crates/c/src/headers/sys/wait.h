#pragma once
#include <signal.h>
#include <craig/posix.h>
struct rusage; typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;
#define WEXITSTATUS(s) (((s) & 0xff00) >> 8)
#define WTERMSIG(s) ((s) & 0x7f)
#define WSTOPSIG(s) WEXITSTATUS(s)
#define WIFEXITED(s) (WTERMSIG(s) == 0)
#define WIFSIGNALED(s) (((signed char)(((s) & 0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(s) (((s) & 0xff) == 0x7f)
#define WIFCONTINUED(s) ((s) == 0xffff)
#define WCOREDUMP(s) ((s) & 0x80)
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 16777216
#define WCOREFLAG 128
#define WAIT_ANY (-1)
#define WAIT_MYPGRP 0
pid_t wait(int *); pid_t waitpid(pid_t, int *, int); int waitid(idtype_t, id_t, siginfo_t *, int); pid_t wait3(int *, int, struct rusage *);
pid_t wait4(pid_t, int *, int, struct rusage *);
