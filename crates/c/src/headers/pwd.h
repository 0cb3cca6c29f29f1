#pragma once
#include <craig/posix.h>
#include <stdio.h>
struct passwd { char *pw_name; char *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos; char *pw_dir; char *pw_shell; };
#define NSS_BUFLEN_PASSWD 1024
void setpwent(void); void endpwent(void); struct passwd *getpwent(void); struct passwd *fgetpwent(FILE *);
int putpwent(const struct passwd *, FILE *); struct passwd *getpwuid(uid_t); struct passwd *getpwnam(const char *);
int getpwent_r(struct passwd *, char *, size_t, struct passwd **); int getpwuid_r(uid_t, struct passwd *, char *, size_t, struct passwd **);
int getpwnam_r(const char *, struct passwd *, char *, size_t, struct passwd **);
int fgetpwent_r(FILE *, struct passwd *, char *, size_t, struct passwd **);
