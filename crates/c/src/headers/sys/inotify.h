#pragma once
#include <stdint.h>
struct inotify_event { int wd; uint32_t mask; uint32_t cookie; uint32_t len; char name[]; };
#define IN_CLOEXEC 02000000
#define IN_NONBLOCK 04000
#define IN_ACCESS 1
#define IN_MODIFY 2
#define IN_ATTRIB 4
#define IN_CLOSE_WRITE 8
#define IN_CLOSE_NOWRITE 16
#define IN_CLOSE 24
#define IN_OPEN 32
#define IN_MOVED_FROM 64
#define IN_MOVED_TO 128
#define IN_MOVE 192
#define IN_CREATE 256
#define IN_DELETE 512
#define IN_DELETE_SELF 1024
#define IN_MOVE_SELF 2048
#define IN_UNMOUNT 8192
#define IN_Q_OVERFLOW 16384
#define IN_IGNORED 32768
#define IN_CLOSE 24
#define IN_MOVE 192
#define IN_ONLYDIR 16777216
#define IN_DONT_FOLLOW 33554432
#define IN_EXCL_UNLINK 67108864
#define IN_MASK_CREATE 268435456
#define IN_MASK_ADD 536870912
#define IN_ISDIR 1073741824
#define IN_ONESHOT 2147483648ull
#define IN_ALL_EVENTS 4095
int inotify_init(void); int inotify_init1(int); int inotify_add_watch(int, const char *, uint32_t); int inotify_rm_watch(int, int);
