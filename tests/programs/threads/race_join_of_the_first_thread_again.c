// expect: unknown
// may: false
// property: no-data-race
// The second join names the first thread again: that is undefined, and orders nothing.
#include <pthread.h>
int x;
void *work(void *unused) {
  x++;
  return 0;
}
int main(void) {
  pthread_t id[2];
  pthread_create(&id[0], 0, work, 0);
  pthread_join(id[0], 0);
  pthread_create(&id[1], 0, work, 0);
  pthread_join(id[0], 0);
  x = 1;
  return 0;
}
