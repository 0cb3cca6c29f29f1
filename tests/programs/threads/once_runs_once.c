// expect: true
// The function runs once, and nobody goes on before it has.
#include <assert.h>
#include <pthread.h>
pthread_once_t control = PTHREAD_ONCE_INIT;
int n;
void start(void) { n++; }
void *other(void *p) {
  pthread_once(&control, start);
  assert(n == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_once(&control, start);
  assert(n == 1);
  pthread_join(t, 0);
  return 0;
}
