#pragma once
#include <craig/posix.h>
struct iovec { void *iov_base; size_t iov_len; };
#define UIO_MAXIOV 1024
ssize_t readv(int, const struct iovec *, int); ssize_t writev(int, const struct iovec *, int); ssize_t preadv(int, const struct iovec *, int, off_t);
ssize_t pwritev(int, const struct iovec *, int, off_t);
#ifdef _GNU_SOURCE
#define RWF_HIPRI 1
#define RWF_DSYNC 2
#define RWF_SYNC 4
#define RWF_NOWAIT 8
#define RWF_APPEND 16
#define RWF_NOAPPEND 32
#endif
