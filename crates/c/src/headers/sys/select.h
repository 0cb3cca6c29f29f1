#pragma once
#include <craig/timespec.h>
#include <craig/sigset.h>
#define FD_SETSIZE 1024
typedef long fd_mask;
typedef struct { long __fds_bits[1024 / (8 * sizeof(long))]; } fd_set;
#define __FD_BITS (8 * (int)sizeof(long))
#define FD_SET(d, s) ((void)((s)->__fds_bits[(d) / __FD_BITS] |= (long)(1UL << ((d) % __FD_BITS))))
#define FD_CLR(d, s) ((void)((s)->__fds_bits[(d) / __FD_BITS] &= ~(long)(1UL << ((d) % __FD_BITS))))
#define FD_ISSET(d, s) (((s)->__fds_bits[(d) / __FD_BITS] & (long)(1UL << ((d) % __FD_BITS))) != 0)
#define FD_ZERO(s) do { unsigned __i; for (__i = 0; __i < sizeof(fd_set) / sizeof(long); __i++) (s)->__fds_bits[__i] = 0; } while (0)
#define NFDBITS 64
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
