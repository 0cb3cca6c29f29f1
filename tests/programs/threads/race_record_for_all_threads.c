// expect: false(no-data-race)
// property: no-data-race
// All threads are given the same record.
#include <pthread.h>
#include <stdlib.h>
struct job { int in; int out; };
void *worker(void *arg) {
  struct job *j = arg;
  j->out = j->in + 1;
  return 0;
}
int main(void) {
  pthread_t id;
  struct job *j = malloc(sizeof *j);
  j->in = 0;
  for (int i = 0; i < 6; i++) {
    
    pthread_create(&id, 0, worker, j);
  }
  return 0;
}
