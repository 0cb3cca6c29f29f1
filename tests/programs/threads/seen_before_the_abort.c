// expect: false
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x = 0;
void *work(void *arg) { x = 1; abort(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(x != 1);
  return 0;
}
