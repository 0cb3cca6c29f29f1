// expect: false
// property: valid-memsafety
// The objects of main end with it, though the program goes on.
#include <pthread.h>
void *work(void *p) {
  *(int *)p = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  int local = 0;
  pthread_create(&id, 0, work, &local);
  pthread_exit(0);
}
