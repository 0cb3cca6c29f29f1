// expect: true
// property: no-data-race
// Each thread writes its own variable.
#include <pthread.h>
_Thread_local int n;
void *other(void *p) {
  n++;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, other, 0);
  pthread_create(&t, 0, other, 0);
  n++;
  pthread_join(s, 0);
  pthread_join(t, 0);
  return n;
}
