#pragma once
#include <craig/posix.h>
struct statvfs { unsigned long f_bsize; unsigned long f_frsize; fsblkcnt_t f_blocks; fsblkcnt_t f_bfree; fsblkcnt_t f_bavail; fsfilcnt_t f_files; fsfilcnt_t f_ffree; fsfilcnt_t f_favail; unsigned long f_fsid;
#ifndef __LP64__
int __f_unused;
#endif
unsigned long f_flag; unsigned long f_namemax; unsigned int f_type; int __f_spare[5]; };
#define ST_RDONLY 1
#define ST_NOSUID 2
int statvfs(const char *, struct statvfs *); int fstatvfs(int, struct statvfs *);
#ifdef _GNU_SOURCE
#define ST_NODEV 4
#define ST_NOEXEC 8
#define ST_SYNCHRONOUS 16
#define ST_MANDLOCK 64
#define ST_WRITE 128
#define ST_APPEND 256
#define ST_IMMUTABLE 512
#define ST_NOATIME 1024
#define ST_NODIRATIME 2048
#define ST_RELATIME 4096
#endif
