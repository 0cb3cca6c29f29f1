// expect: false(no-data-race)
// property: no-data-race
// The same member of a structure.
#include <pthread.h>
#include <stdlib.h>
struct pair { int a; int b; } p;
void *worker(void *arg) { p.a++; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  p.a++;
  return 0;
}
