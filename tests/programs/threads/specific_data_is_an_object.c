// expect: false(unreach-call)
// What is kept is not copied.
#include <assert.h>
#include <pthread.h>
pthread_key_t one, two;
int a;
int main(void) {
  pthread_key_create(&one, 0);
  pthread_key_create(&two, 0);
  pthread_setspecific(one, &a);
  int *p = pthread_getspecific(one);
  *p = 3;
  assert(pthread_getspecific(two) == 0);
  assert(a != 3);
  return 0;
}
