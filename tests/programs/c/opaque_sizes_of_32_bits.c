// expect: true
// data-model: ILP32
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int main(void) {
  assert(sizeof(pthread_mutex_t) == 24 && sizeof(pthread_cond_t) == 48 && sizeof(pthread_rwlock_t) == 32);
  assert(sizeof(pthread_attr_t) == 36 && sizeof(pthread_barrier_t) == 20 && sizeof(pthread_rwlockattr_t) == 8);
  assert(sizeof(sem_t) == 16);
  return 0;
}
