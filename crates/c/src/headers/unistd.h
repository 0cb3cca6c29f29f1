#pragma once
#include <craig/types.h>
#include <craig/posix.h>
#include <getopt.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
extern char **environ;
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_HOST_NAME_MAX 180
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#define _POSIX_VERSION 200809L
unsigned int sleep(unsigned int); int usleep(unsigned int); pid_t getpid(void); pid_t fork(void); void _exit(int) __attribute__((__noreturn__));
ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); int close(int); int unlink(const char *);
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define L_SET 0
#define L_INCR 1
#define L_XTND 2
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
int access(const char *, int); int faccessat(int, const char *, int, int); off_t lseek(int, off_t, int); void closefrom(int);
ssize_t pread(int, void *, size_t, off_t); ssize_t pwrite(int, const void *, size_t, off_t); int pipe(int *); unsigned int alarm(unsigned int);
useconds_t ualarm(useconds_t, useconds_t); int pause(void); int chown(const char *, uid_t, gid_t); int fchown(int, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t); int fchownat(int, const char *, uid_t, gid_t, int); int chdir(const char *); int fchdir(int);
char *getcwd(char *, size_t); char *getwd(char *); int dup(int); int dup2(int, int); int execve(const char *, char *const *, char *const *);
int fexecve(int, char *const *, char *const *); int execv(const char *, char *const *); int execle(const char *, const char *, ...);
int execl(const char *, const char *, ...); int execvp(const char *, char *const *); int execlp(const char *, const char *, ...); int nice(int);
long int pathconf(const char *, int); long int fpathconf(int, int); long int sysconf(int); size_t confstr(int, char *, size_t); pid_t getppid(void);
pid_t getpgrp(void); pid_t getpgid(pid_t); int setpgid(pid_t, pid_t); int setpgrp(void); pid_t setsid(void); pid_t getsid(pid_t); uid_t getuid(void);
uid_t geteuid(void); gid_t getgid(void); gid_t getegid(void); int getgroups(int, gid_t *); int setuid(uid_t); int setreuid(uid_t, uid_t);
int seteuid(uid_t); int setgid(gid_t); int setregid(gid_t, gid_t); int setegid(gid_t); pid_t vfork(void); char *ttyname(int);
int ttyname_r(int, char *, size_t); int isatty(int); int ttyslot(void); int link(const char *, const char *);
int linkat(int, const char *, int, const char *, int); int symlink(const char *, const char *); ssize_t readlink(const char *, char *, size_t);
int symlinkat(const char *, int, const char *); ssize_t readlinkat(int, const char *, char *, size_t); int unlinkat(int, const char *, int);
int rmdir(const char *); pid_t tcgetpgrp(int); int tcsetpgrp(int, pid_t); char *getlogin(void); int getlogin_r(char *, size_t);
int setlogin(const char *); int gethostname(char *, size_t); int sethostname(const char *, size_t); int sethostid(long int);
int getdomainname(char *, size_t); int setdomainname(const char *, size_t); int vhangup(void); int revoke(const char *);
int profil(short unsigned int *, size_t, size_t, unsigned int); int acct(const char *); char *getusershell(void); void endusershell(void);
void setusershell(void); int daemon(int, int); int chroot(const char *); char *getpass(const char *); int fsync(int); long int gethostid(void);
void sync(void); int getpagesize(void); int getdtablesize(void); int truncate(const char *, off_t); int ftruncate(int, off_t); int brk(void *);
void *sbrk(intptr_t); long int syscall(long int, ...); int lockf(int, int, off_t); int fdatasync(int); char *crypt(const char *, const char *);
int getentropy(void *, size_t);
#ifdef _GNU_SOURCE
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif
