// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#define N 6
int counter = 0;
void *work(void *p) {
  counter++;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter > 1);
  return 0;
}
