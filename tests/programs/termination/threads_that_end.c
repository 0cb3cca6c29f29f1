// expect: true
// property: termination
// Each loop has its own ranking function, in whatever order the threads run.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int left = 5;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *take(void *p) {
  int more = 1;
  while (more) {
    pthread_mutex_lock(&m);
    if (left > 0) left--; else more = 0;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  for (int i = 0; i < 3; i++) { }
  pthread_join(t, 0);
  return 0;
}
