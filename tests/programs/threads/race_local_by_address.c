// expect: false(no-data-race)
// property: no-data-race
// One thread was given the address of another one's variable.
#include <pthread.h>
_Thread_local int n;
void *other(void *p) {
  *(int *)p = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, &n);
  n++;
  pthread_join(t, 0);
  return n;
}
