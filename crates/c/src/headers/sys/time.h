#pragma once
#include <craig/timespec.h>
#include <sys/select.h>
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct itimerval { struct timeval it_interval; struct timeval it_value; };
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, op) (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec op (b)->tv_usec) : ((a)->tv_sec op (b)->tv_sec))
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
int gettimeofday(struct timeval *, void *); int settimeofday(const struct timeval *, const struct timezone *);
int adjtime(const struct timeval *, struct timeval *); int getitimer(int, struct itimerval *);
int setitimer(int, const struct itimerval *, struct itimerval *); int utimes(const char *, const struct timeval *);
int lutimes(const char *, const struct timeval *); int futimes(int, const struct timeval *);
