#pragma once
#include <sys/ipc.h>
typedef unsigned long msgqnum_t; typedef unsigned long msglen_t;
struct msqid_ds { struct ipc_perm msg_perm; time_t msg_stime; time_t msg_rtime; time_t msg_ctime; unsigned long __msg_cbytes; msgqnum_t msg_qnum; msglen_t msg_qbytes; pid_t msg_lspid; pid_t msg_lrpid; unsigned long __reserved1; unsigned long __reserved2; };
#define MSG_NOERROR 4096
#define MSG_STAT 11
#define MSG_INFO 12
#define MSG_STAT_ANY 13
int msgctl(int, int, struct msqid_ds *); int msgget(key_t, int); ssize_t msgrcv(int, void *, size_t, long int, int);
int msgsnd(int, const void *, size_t, int);
