#pragma once
#include <craig/types.h>
typedef unsigned char u_char; typedef unsigned short u_short; typedef unsigned int u_int; typedef unsigned long u_long;
typedef unsigned long long dev_t; typedef unsigned int uid_t; typedef unsigned int gid_t; typedef unsigned int id_t;
typedef unsigned long ino_t; typedef unsigned int mode_t; typedef __SIZE_TYPE__ nlink_t; typedef long off_t; typedef long long loff_t;
typedef __INTPTR_TYPE__ intptr_t; typedef int pid_t; typedef long blksize_t; typedef long blkcnt_t; typedef unsigned long fsblkcnt_t; typedef unsigned long fsfilcnt_t;
typedef int key_t; typedef unsigned int useconds_t; typedef long suseconds_t; typedef int clockid_t; typedef void *timer_t;
typedef long time_t; typedef long clock_t; typedef char *caddr_t; typedef unsigned int socklen_t;
