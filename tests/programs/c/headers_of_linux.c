// expect: true
// data-model: LP64
#include <argp.h>
#include <assert.h>
#include <ifaddrs.h>
#include <mntent.h>
#include <net/ethernet.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <paths.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timeb.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <ucontext.h>
#include <utmp.h>
int main(void) {
  assert(sizeof(struct statfs) == 120 && sizeof(struct utmp) == 384 && sizeof(struct mntent) == 40);
  assert(sizeof(struct signalfd_siginfo) == 128 && sizeof(struct timeb) == 16 && sizeof(struct ether_header) == 14);
  assert(sizeof(struct ip) == 20 && sizeof(struct iphdr) == 20 && sizeof(struct udphdr) == 8);
  assert(sizeof(struct ifaddrs) == 56 && sizeof(struct argp) == 56 && sizeof(struct argp_option) == 48);
  assert(sizeof(struct argp_state) == 96 && sizeof(ucontext_t) == 968 && sizeof(mcontext_t) == 256);
  assert(offsetof(struct utmp, ut_user) == 44 && offsetof(struct utmp, ut_tv) == 340);
  assert(SYS_gettid == 186 && SYS_getrandom == 318 && MS_BIND == 4096 && AT_PAGESZ == 6);
  assert(major(makedev(8, 3)) == 8 && minor(makedev(8, 3)) == 3 && _PATH_DEVNULL[1] == 'd');
  assert(MB_CUR_MAX >= 1);
  return 0;
}
