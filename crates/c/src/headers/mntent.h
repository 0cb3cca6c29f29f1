#pragma once
#include <stdio.h>
#define MNTTAB "/etc/fstab"
#define MOUNTED "/etc/mtab"
#define MNTOPT_DEFAULTS "defaults"
#define MNTOPT_RO "ro"
#define MNTOPT_RW "rw"
#define MNTOPT_SUID "suid"
#define MNTOPT_NOSUID "nosuid"
#define MNTOPT_NOAUTO "noauto"
struct mntent { char *mnt_fsname; char *mnt_dir; char *mnt_type; char *mnt_opts; int mnt_freq; int mnt_passno; };
FILE *setmntent(const char *, const char *); struct mntent *getmntent(FILE *); struct mntent *getmntent_r(FILE *, struct mntent *, char *, int);
int addmntent(FILE *, const struct mntent *); int endmntent(FILE *); char *hasmntopt(const struct mntent *, const char *);
