// expect: true
// More threads than the product for engines has room for: all states under all schedules are looked at.
#include <assert.h>
#include <pthread.h>
#define N 6
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter = 0;
void *work(void *p) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter == N);
  return 0;
}
