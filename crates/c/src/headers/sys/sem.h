#pragma once
#include <sys/ipc.h>
struct sembuf { unsigned short sem_num; short sem_op; short sem_flg; };
struct semid_ds { struct ipc_perm sem_perm; time_t sem_otime; unsigned long __reserved1; time_t sem_ctime; unsigned long __reserved2; unsigned long sem_nsems; unsigned long __reserved3; unsigned long __reserved4; };
#define SEM_UNDO 4096
#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17
#define SEM_STAT 18
#define SEM_INFO 19
#define SEM_STAT_ANY 20
int semctl(int, int, int, ...); int semget(key_t, int, int); int semop(int, struct sembuf *, size_t);
