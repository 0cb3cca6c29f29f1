// expect: false(unreach-call)
// Each control variable lets the function run.
#include <assert.h>
#include <pthread.h>
pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
int n;
void start(void) { n++; }
int main(void) {
  pthread_once(&first, start);
  pthread_once(&second, start);
  pthread_once(&first, start);
  assert(n == 1);
  return 0;
}
