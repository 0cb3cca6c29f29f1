#pragma once
#include <sys/types.h>
#include <craig/types.h>
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
size_t __ctype_get_mb_cur_max(void);
#define MB_CUR_MAX (__ctype_get_mb_cur_max())
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *aligned_alloc(size_t, size_t); int posix_memalign(void **, size_t, size_t); void *alloca(size_t);
void abort(void) __attribute__((__noreturn__)); void exit(int) __attribute__((__noreturn__)); void _Exit(int) __attribute__((__noreturn__));
int atexit(void (*)(void)); char *getenv(const char *); int system(const char *);
int abs(int); long labs(long); long long llabs(long long); div_t div(int, int); ldiv_t ldiv(long, long); lldiv_t lldiv(long long, long long);
int atoi(const char *); long atol(const char *); long long atoll(const char *); double atof(const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int); double strtod(const char *, char **);
int rand(void); void srand(unsigned int); long random(void); void srandom(unsigned int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 16777216
float strtof(const char *, char **); long double strtold(const char *, char **); long long int strtoq(const char *, char **, int);
long long unsigned int strtouq(const char *, char **, int); char *l64a(long int); long int a64l(const char *);
char *initstate(unsigned int, char *, size_t); char *setstate(char *); int random_r(struct random_data *, int *);
int srandom_r(unsigned int, struct random_data *); int initstate_r(unsigned int, char *, size_t, struct random_data *);
int setstate_r(char *, struct random_data *); int rand_r(unsigned int *); double drand48(void); double erand48(short unsigned int *);
long int lrand48(void); long int nrand48(short unsigned int *); long int mrand48(void); long int jrand48(short unsigned int *);
void srand48(long int); short unsigned int *seed48(short unsigned int *); void lcong48(short unsigned int *);
int drand48_r(struct drand48_data *, double *); int erand48_r(short unsigned int *, struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long int *); int nrand48_r(short unsigned int *, struct drand48_data *, long int *);
int mrand48_r(struct drand48_data *, long int *); int jrand48_r(short unsigned int *, struct drand48_data *, long int *);
int srand48_r(long int, struct drand48_data *); int seed48_r(short unsigned int *, struct drand48_data *);
int lcong48_r(short unsigned int *, struct drand48_data *); unsigned int arc4random(void); void arc4random_buf(void *, size_t);
unsigned int arc4random_uniform(unsigned int); void *reallocarray(void *, size_t, size_t); void *reallocarray(void *, size_t, size_t); void *valloc(size_t);
int at_quick_exit(void(*) (void)); int on_exit(void(*) (int, void *), void *); void quick_exit(int) __attribute__((__noreturn__)); int putenv(char *);
int setenv(const char *, const char *, int); int unsetenv(const char *); int clearenv(void); char *mktemp(char *); int mkstemp(char *);
int mkstemps(char *, int); char *mkdtemp(char *); char *realpath(const char *, char *); char *ecvt(double, int, int *, int *);
char *fcvt(double, int, int *, int *); char *gcvt(double, int, char *); char *qecvt(long double, int, int *, int *);
char *qfcvt(long double, int, int *, int *); char *qgcvt(long double, int, char *); int ecvt_r(double, int, int *, int *, char *, size_t);
int fcvt_r(double, int, int *, int *, char *, size_t); int qecvt_r(long double, int, int *, int *, char *, size_t);
int qfcvt_r(long double, int, int *, int *, char *, size_t); int mblen(const char *, size_t); int mbtowc(wchar_t *, const char *, size_t);
int wctomb(char *, wchar_t); size_t mbstowcs(wchar_t *, const char *, size_t); size_t wcstombs(char *, const wchar_t *, size_t);
int rpmatch(const char *); int getsubopt(char **, char *const *, char **); int getloadavg(double *, int);
