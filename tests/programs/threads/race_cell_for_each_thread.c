// expect: true
// property: no-data-race
// Each thread is given a cell of its own.
#include <pthread.h>
#include <stdlib.h>
int cells[10];
void *worker(void *arg) {
  int *mine = arg;
  *mine = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  for (int i = 0; i < 10; i++) pthread_create(&id, 0, worker, &cells[i]);
  return 0;
}
