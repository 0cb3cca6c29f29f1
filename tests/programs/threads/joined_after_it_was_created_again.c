// expect: true
// One variable for two threads, one after the other, and an array of threads twice.
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *unused) {
  x++;
  return 0;
}
int main(void) {
  pthread_t id, ids[2];
  pthread_create(&id, 0, work, 0);
  pthread_join(id, 0);
  pthread_create(&id, 0, work, 0);
  pthread_join(id, 0);
  assert(x == 2);
  for (int n = 0; n < 2; n++) {
    pthread_create(&ids[n], 0, work, 0);
    pthread_join(ids[n], 0);
  }
  assert(x == 4);
  return 0;
}
