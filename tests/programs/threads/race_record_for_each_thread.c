// expect: true
// property: no-data-race
// Each thread is given a record of its own.
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
  
  for (int i = 0; i < 6; i++) {
    struct job *j = malloc(sizeof *j);
    j->in = i;
    pthread_create(&id, 0, worker, j);
  }
  return 0;
}
