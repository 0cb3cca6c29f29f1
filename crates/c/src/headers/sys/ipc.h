#pragma once
#include <craig/posix.h>
struct ipc_perm { key_t __key; uid_t uid; gid_t gid; uid_t cuid; gid_t cgid; mode_t mode; unsigned short __seq; unsigned short __pad; unsigned long __reserved1; unsigned long __reserved2; };
#define IPC_CREAT 512
#define IPC_EXCL 1024
#define IPC_NOWAIT 2048
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define IPC_PRIVATE 0
key_t ftok(const char *, int);
#ifdef _GNU_SOURCE
#define IPC_INFO 3
#endif
