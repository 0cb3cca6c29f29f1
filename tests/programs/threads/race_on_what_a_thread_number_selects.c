// expect: unknown
// may: false
// property: no-data-race
// Which numbers threads have is not known: two of them may select one counter.
#include <pthread.h>
int counters[4];
void *work(void *unused) {
  counters[pthread_self() % 4]++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
