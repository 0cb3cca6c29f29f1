// property: no-data-race
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void bump(int by) { x += by; }
static void both(void) { bump(1); }
void *worker(void *p) { both(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  bump(5);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
