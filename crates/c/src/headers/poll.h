#pragma once
typedef unsigned long nfds_t; struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *, nfds_t, int);
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLRDNORM 64
#define POLLRDBAND 128
#define POLLWRNORM 256
#define POLLWRBAND 512
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
#ifdef _GNU_SOURCE
#define POLLMSG 1024
#define POLLREMOVE 4096
#define POLLRDHUP 8192
#endif
