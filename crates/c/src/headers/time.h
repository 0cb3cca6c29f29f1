#pragma once
#include <craig/timespec.h>
#include <craig/locale.h>
struct sigevent;
struct itimerspec { struct timespec it_interval; struct timespec it_value; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
#define CLOCKS_PER_SEC ((clock_t)1000000)
time_t time(time_t *); clock_t clock(void); double difftime(time_t, time_t); int nanosleep(const struct timespec *, struct timespec *);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
#define TIME_UTC 1
extern char *tzname[2]; extern int daylight; extern long timezone;
time_t mktime(struct tm *); size_t strftime(char *, size_t, const char *, const struct tm *);
size_t strftime_l(char *, size_t, const char *, const struct tm *, locale_t); struct tm *gmtime(const time_t *); struct tm *localtime(const time_t *);
struct tm *gmtime_r(const time_t *, struct tm *); struct tm *localtime_r(const time_t *, struct tm *); char *asctime(const struct tm *);
char *ctime(const time_t *); char *asctime_r(const struct tm *, char *); char *ctime_r(const time_t *, char *); void tzset(void);
time_t timegm(struct tm *); time_t timelocal(struct tm *); int dysize(int); int clock_getres(clockid_t, struct timespec *);
int clock_gettime(clockid_t, struct timespec *); int clock_settime(clockid_t, const struct timespec *);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *); int clock_getcpuclockid(pid_t, clockid_t *);
int timer_create(clockid_t, struct sigevent *, timer_t *); int timer_delete(timer_t);
int timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *); int timer_gettime(timer_t, struct itimerspec *);
int timer_getoverrun(timer_t); int timespec_get(struct timespec *, int);
#ifdef _GNU_SOURCE
#define ADJ_OFFSET 1
#define ADJ_FREQUENCY 2
#define ADJ_MAXERROR 4
#define ADJ_ESTERROR 8
#define ADJ_STATUS 16
#define ADJ_TIMECONST 32
#define ADJ_TAI 128
#define ADJ_SETOFFSET 256
#define ADJ_MICRO 4096
#define ADJ_NANO 8192
#define ADJ_TICK 16384
#define ADJ_OFFSET_SINGLESHOT 32769
#define ADJ_OFFSET_SS_READ 40961
#define MOD_OFFSET 1
#define MOD_FREQUENCY 2
#define MOD_MAXERROR 4
#define MOD_ESTERROR 8
#define MOD_STATUS 16
#define MOD_TIMECONST 32
#define MOD_CLKB 16384
#define MOD_CLKA 32769
#define MOD_TAI 128
#define MOD_MICRO 4096
#define MOD_NANO 8192
#define STA_PLL 1
#define STA_PPSFREQ 2
#define STA_PPSTIME 4
#define STA_FLL 8
#define STA_INS 16
#define STA_DEL 32
#define STA_UNSYNC 64
#define STA_FREQHOLD 128
#define STA_PPSSIGNAL 256
#define STA_PPSJITTER 512
#define STA_PPSWANDER 1024
#define STA_PPSERROR 2048
#define STA_CLOCKERR 4096
#define STA_NANO 8192
#define STA_MODE 16384
#define STA_CLK 32768
#define STA_RONLY 65280
#endif
