// expect: unknown
// may: false
// A copy of the number is the same thread.
#include <pthread.h>
extern void reach_error(void);
void *work(void *unused) { return 0; }
int main(void) {
  pthread_t id, copy;
  pthread_create(&id, 0, work, 0);
  copy = id;
  pthread_join(id, 0);
  if (pthread_join(copy, 0) != 0) reach_error();
  return 0;
}
