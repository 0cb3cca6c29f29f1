// expect: unknown
// may: false
// property: no-data-race
// The thread is detached by a pointer to the function, so the join orders nothing.
#include <pthread.h>
int x;
void *work(void *unused) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  int (*detach)(pthread_t) = pthread_detach;
  pthread_create(&id, 0, work, 0);
  detach(id);
  pthread_join(id, 0);
  x = 2;
  return 0;
}
