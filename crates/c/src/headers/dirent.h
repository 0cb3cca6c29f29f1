#pragma once
#include <craig/posix.h>
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
typedef struct __craig_dir DIR;
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
#define MAXNAMLEN 255
int closedir(DIR *); DIR *opendir(const char *); DIR *fdopendir(int); struct dirent *readdir(DIR *);
int readdir_r(DIR *, struct dirent *, struct dirent **); void rewinddir(DIR *); void seekdir(DIR *, long int); long int telldir(DIR *);
int dirfd(DIR *);
int scandir(const char *, struct dirent ***, int(*) (const struct dirent *), int(*) (const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **, const struct dirent **); ssize_t getdirentries(int, char *, size_t, off_t *);
