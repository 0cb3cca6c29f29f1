#pragma once
#include <craig/posix.h>
#include <stdio.h>
struct group { char *gr_name; char *gr_passwd; gid_t gr_gid; char **gr_mem; };
#define NSS_BUFLEN_GROUP 1024
void setgrent(void); void endgrent(void); struct group *getgrent(void); struct group *fgetgrent(FILE *); struct group *getgrgid(gid_t);
struct group *getgrnam(const char *); int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **);
int getgrnam_r(const char *, struct group *, char *, size_t, struct group **);
int fgetgrent_r(FILE *, struct group *, char *, size_t, struct group **); int setgroups(size_t, const gid_t *);
int getgrouplist(const char *, gid_t, gid_t *, int *); int initgroups(const char *, gid_t);
