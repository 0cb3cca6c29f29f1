#pragma once
#define S_IFMT 61440
#define S_IFSOCK 49152
#define S_IFLNK 40960
#define S_IFREG 32768
#define S_IFBLK 24576
#define S_IFDIR 16384
#define S_IFCHR 8192
#define S_IFIFO 4096
#include <craig/timespec.h>
#ifdef __LP64__
struct stat { dev_t st_dev; ino_t st_ino; nlink_t st_nlink; mode_t st_mode; uid_t st_uid; gid_t st_gid; int __pad0; dev_t st_rdev; off_t st_size; blksize_t st_blksize; blkcnt_t st_blocks; struct timespec st_atim; struct timespec st_mtim; struct timespec st_ctim; long __reserved[3]; };
#else
struct stat { dev_t st_dev; unsigned short __pad1; ino_t st_ino; mode_t st_mode; nlink_t st_nlink; uid_t st_uid; gid_t st_gid; dev_t st_rdev; unsigned short __pad2; off_t st_size; blksize_t st_blksize; blkcnt_t st_blocks; struct timespec st_atim; struct timespec st_mtim; struct timespec st_ctim; unsigned long __reserved4; unsigned long __reserved5; };
#endif
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_ISDIR(m) (((m) & S_IFMT) == S_IFDIR)
#define S_ISCHR(m) (((m) & S_IFMT) == S_IFCHR)
#define S_ISBLK(m) (((m) & S_IFMT) == S_IFBLK)
#define S_ISREG(m) (((m) & S_IFMT) == S_IFREG)
#define S_ISFIFO(m) (((m) & S_IFMT) == S_IFIFO)
#define S_ISLNK(m) (((m) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(m) (((m) & S_IFMT) == S_IFSOCK)
#define UTIME_NOW 1073741823
#define UTIME_OMIT 1073741822
#define S_ISUID 2048
#define S_ISGID 1024
#define S_ISVTX 512
#define S_IRUSR 256
#define S_IWUSR 128
#define S_IXUSR 64
#define S_IRWXU 448
#define S_IREAD 256
#define S_IWRITE 128
#define S_IEXEC 64
#define S_IRGRP 32
#define S_IWGRP 16
#define S_IXGRP 8
#define S_IRWXG 56
#define S_IROTH 4
#define S_IWOTH 2
#define S_IXOTH 1
#define S_IRWXO 7
#define ACCESSPERMS 511
#define ALLPERMS 4095
#define DEFFILEMODE 438
#define S_BLKSIZE 512
int stat(const char *, struct stat *); int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int); int lstat(const char *, struct stat *);
int chmod(const char *, mode_t); int lchmod(const char *, mode_t); int fchmod(int, mode_t); int fchmodat(int, const char *, mode_t, int);
mode_t umask(mode_t); int mkdir(const char *, mode_t); int mkdirat(int, const char *, mode_t); int mknod(const char *, mode_t, dev_t);
int mknodat(int, const char *, mode_t, dev_t); int mkfifo(const char *, mode_t); int mkfifoat(int, const char *, mode_t);
int utimensat(int, const char *, const struct timespec *, int); int futimens(int, const struct timespec *);
#ifdef _GNU_SOURCE
#define STATX_TYPE 1U
#define STATX_MODE 2U
#define STATX_NLINK 4U
#define STATX_UID 8U
#define STATX_GID 16U
#define STATX_ATIME 32U
#define STATX_MTIME 64U
#define STATX_CTIME 128U
#define STATX_INO 256U
#define STATX_SIZE 512U
#define STATX_BLOCKS 1024U
#define STATX_BASIC_STATS 2047U
#define STATX_BTIME 2048U
#define STATX_MNT_ID 4096U
#define STATX_DIOALIGN 8192U
#define STATX__RESERVED 2147483648U
#define STATX_ALL 4095U
#define STATX_ATTR_COMPRESSED 4
#define STATX_ATTR_IMMUTABLE 16
#define STATX_ATTR_APPEND 32
#define STATX_ATTR_NODUMP 64
#define STATX_ATTR_ENCRYPTED 2048
#define STATX_ATTR_AUTOMOUNT 4096
#define STATX_ATTR_MOUNT_ROOT 8192
#define STATX_ATTR_VERITY 1048576
#define STATX_ATTR_DAX 2097152
#endif
