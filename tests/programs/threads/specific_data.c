// expect: true
// Each thread finds what it has kept, and nothing at first.
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int a, b;
void *other(void *p) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, p);
  assert(pthread_getspecific(key) == p);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_key_create(&key, 0);
  pthread_setspecific(key, &key);
  pthread_create(&s, 0, other, &a);
  pthread_create(&t, 0, other, &b);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(pthread_getspecific(key) == &key);
  return 0;
}
