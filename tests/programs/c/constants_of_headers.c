// expect: true
// Constants of headers have the values of glibc.
#define _GNU_SOURCE
#include <getopt.h>
#include <sys/stat.h>
#include <math.h>
#include <stdatomic.h>
#include <limits.h>
#include <stdint.h>
#include <signal.h>
#include <syslog.h>
#include <fcntl.h>
#include <pthread.h>
#include <assert.h>
int main(void){ struct stat s; s.st_mode = 0100644; assert(S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)); assert(no_argument+optional_argument==2); assert(ATOMIC_INT_LOCK_FREE==2 && LONG_WIDTH==8*sizeof(long) && INT32_WIDTH==32 && SIGRTMIN<SIGRTMAX && LOG_LOCAL3==152 && O_TMPFILE!=0 && (long)PTHREAD_CANCELED==-1); assert(HUGE_VALL>0 && (math_errhandling & MATH_ERRNO)); return FP_ILOGB0==INT_MIN?0:1; }
