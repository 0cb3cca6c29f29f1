// expect: unknown
// Destructors of thread-specific data are not modelled.
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int gone;
void end(void *p) { gone = 1; }
void *other(void *p) {
  pthread_setspecific(key, &key);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, end);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(gone == 0);
  return 0;
}
