// expect: false
// main need not wait, but it may be slow.
#include <pthread.h>
extern void reach_error(void);
void *work(void *arg) { reach_error(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  return 0;
}
