// expect: true
// In glibc a spin lock is a number.
#include <assert.h>
#include <pthread.h>
pthread_spinlock_t lock = 0;
int n;
void *work(void *unused) {
  pthread_spin_lock(&lock);
  n++;
  pthread_spin_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_spin_init(&lock, 0);
  pthread_create(&id, 0, work, 0);
  pthread_spin_lock(&lock);
  n++;
  pthread_spin_unlock(&lock);
  pthread_join(id, 0);
  assert(n == 2);
  return 0;
}
