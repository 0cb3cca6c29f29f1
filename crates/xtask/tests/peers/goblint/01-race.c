// PARAM: --enable dbg.debug
#include <pthread.h>
int shared;
void *writer(void *unused) {
  shared = 1; // RACE!
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, writer, 0);
  shared = 2; // RACE!
  pthread_join(id, 0);
  return 0;
}
