#pragma once
#include <craig/posix.h>
#include <craig/sigset.h>
#include <craig/timespec.h>
typedef int sig_atomic_t; typedef void (*sighandler_t)(int); typedef void (*__sighandler_t)(int); typedef void (*sig_t)(int);
typedef union sigval { int sival_int; void *sival_ptr; } sigval_t;
typedef struct { int si_signo; int si_errno; int si_code; union { int __pad[sizeof(long) == 8 ? 28 : 29]; struct { pid_t __pid; uid_t __uid; int __status; } __child; void *__addr; struct { pid_t __pid; uid_t __uid; sigval_t __value; } __queue; long __band; } __fields; } siginfo_t;
#define si_pid __fields.__child.__pid
#define si_uid __fields.__child.__uid
#define si_status __fields.__child.__status
#define si_addr __fields.__addr
#define si_value __fields.__queue.__value
#define si_band __fields.__band
struct sigaction { union { void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); }; sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void); };
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
struct sigevent { sigval_t sigev_value; int sigev_signo; int sigev_notify; void (*sigev_notify_function)(sigval_t); void *sigev_notify_attributes; char __pad[64 - 4 * sizeof(void *)]; };
union __pthread_attr;
#define SIG_BLOCK 0
#define SIGRTMIN 34
#define SIGRTMAX 64
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define BUS_ADRALN 1
#define ILL_ILLOPC 1
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define SI_USER 0
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define CLD_EXITED 1
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIGINT 2
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15
void (*signal(int, void (*)(int)))(int); int raise(int);
#define SIGILL 4
#define SIGFPE 8
#define SIGHUP 1
#define SIGQUIT 3
#define SIGTRAP 5
#define SIGKILL 9
#define SIGPIPE 13
#define SIGALRM 14
#define SIGIO 29
#define SIGIOT 6
#define SIGCLD 17
#define SIGSTKFLT 16
#define SIGPWR 30
#define SIGBUS 7
#define SIGSYS 31
#define SIGURG 23
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGCONT 18
#define SIGCHLD 17
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGPOLL 29
#define SIGXFSZ 25
#define SIGXCPU 24
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGWINCH 28
#define SIGIO 29
#define SIGIOT 6
#define SIGCLD 17
#define NSIG 65
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 134217728
#define SA_RESTART 268435456
#define SA_NODEFER 1073741824
#define SA_RESETHAND 2147483648ull
#define SA_INTERRUPT 536870912
#define SA_NOMASK 1073741824
#define SA_ONESHOT 2147483648ull
#define SA_STACK 134217728
#define FP_XSTATE_MAGIC1 1179670611u
#define FP_XSTATE_MAGIC2 1179670597u
#define FP_XSTATE_MAGIC2_SIZE 4u
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
int kill(pid_t, int); int killpg(pid_t, int); __sighandler_t ssignal(int, __sighandler_t); int gsignal(int); void psignal(int, const char *);
int sigaction(int, const struct sigaction *, struct sigaction *); void psiginfo(const siginfo_t *, const char *); int sigblock(int); int sigsetmask(int); int siggetmask(void); int sigemptyset(sigset_t *);
int sigfillset(sigset_t *); int sigaddset(sigset_t *, int); int sigdelset(sigset_t *, int); int sigismember(const sigset_t *, int);
int sigprocmask(int, const sigset_t *, sigset_t *); int sigsuspend(const sigset_t *); int sigpending(sigset_t *);
int sigwait(const sigset_t *, int *); int sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *); int sigqueue(pid_t, int, const union sigval );
int sigreturn(struct sigcontext *); int siginterrupt(int, int); int sigaltstack(const stack_t *, stack_t *);
int sigstack(struct sigstack *, struct sigstack *);
int pthread_sigmask(int, const sigset_t *, sigset_t *); int pthread_kill(unsigned long, int);
#define SI_ASYNCNL (-60)
#define SI_DETHREAD (-7)
#define SI_TKILL (-6)
#define SI_SIGIO (-5)
#define SI_ASYNCIO (-4)
#define SI_MESGQ (-3)
#define SI_KERNEL 128
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define ILL_BADIADDR 9
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define FPE_FLTUNK 14
#define FPE_CONDTRAP 15
#define SEGV_BNDERR 3
#define SEGV_PKUERR 4
#define SEGV_ACCADI 5
#define SEGV_ADIDERR 6
#define SEGV_ADIPERR 7
#define SEGV_MTEAERR 8
#define SEGV_MTESERR 9
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define BUS_MCEERR_AR 4
#define BUS_MCEERR_AO 5
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6
#define SIGEV_THREAD_ID 4
#ifdef _GNU_SOURCE
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define TRAP_BRANCH 3
#define TRAP_HWBKPT 4
#define TRAP_UNK 5
#endif
