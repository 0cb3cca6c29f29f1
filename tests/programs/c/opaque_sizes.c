// expect: true
// data-model: LP64
// Types that programs do not look into have the sizes of glibc, also as members.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
struct guarded { char c; pthread_mutex_t lock; pthread_cond_t changed; char d; };
int main(void) {
  assert(sizeof(pthread_mutex_t) == 40 && sizeof(pthread_cond_t) == 48 && sizeof(pthread_rwlock_t) == 56);
  assert(sizeof(pthread_attr_t) == 56 && sizeof(pthread_barrier_t) == 32 && sizeof(pthread_rwlockattr_t) == 8);
  assert(sizeof(sem_t) == 32 && sizeof(FILE) == 216 && sizeof(jmp_buf) == 200);
  assert(_Alignof(pthread_mutex_t) == 8 && offsetof(struct guarded, lock) == 8);
  assert(offsetof(struct guarded, changed) == 48 && offsetof(struct guarded, d) == 96);
  return 0;
}
