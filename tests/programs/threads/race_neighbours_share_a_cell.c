// expect: false(no-data-race)
// property: no-data-race
// Two threads are given the same cell.
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
  for (int i = 0; i < 10; i++) pthread_create(&id, 0, worker, &cells[i / 2]);
  return 0;
}
