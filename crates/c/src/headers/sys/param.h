#pragma once
#include <sys/types.h>
#include <limits.h>
#include <signal.h>
#include <endian.h>
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#define NBBY 8
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define NOFILE 256
#define NGROUPS 65536
#define CANBSIZ 255
#define NODEV (-1)
#define DEV_BSIZE 512
