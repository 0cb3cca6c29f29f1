// expect: false
// data-model: LP64
#include <assert.h>
#include <pthread.h>
int done[2];
static void *mark(void *a) {
  int i = (int)(long)a;
  done[i] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, mark, (void *)1L);
  pthread_join(t, 0);
  assert(done[1] == 0);
  return 0;
}
