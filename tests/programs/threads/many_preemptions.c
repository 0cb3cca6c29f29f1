// expect: false(unreach-call)
// The largest Fibonacci number needs a switch after every step.
#include <assert.h>
#include <pthread.h>
int i = 1, j = 1;
void *left(void *p) {
  for (int k = 0; k < 4; k++) i += j;
  return 0;
}
void *right(void *p) {
  for (int k = 0; k < 4; k++) j += i;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  assert(i < 34 && j < 34 + 21);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i < 34 && j < 55);
  return 0;
}
