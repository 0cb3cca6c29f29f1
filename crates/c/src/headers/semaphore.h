#pragma once
#include <craig/opaque.h>
typedef struct __craig_opaque { int __craig_count; __craig_word __craig_word __craig_word } sem_t;
#define SEM_FAILED ((sem_t *)0)
int sem_init(sem_t *, int, unsigned int); int sem_destroy(sem_t *); int sem_wait(sem_t *); int sem_trywait(sem_t *); int sem_post(sem_t *); int sem_getvalue(sem_t *, int *);
sem_t *sem_open(const char *, int, ...); int sem_close(sem_t *); int sem_unlink(const char *); int sem_timedwait(sem_t *, const struct timespec *);
