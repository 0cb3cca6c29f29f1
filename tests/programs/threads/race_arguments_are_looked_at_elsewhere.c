// expect: false(no-data-race)
// property: no-data-race
// What argv holds is not known, but with argc == 1 nobody looks at it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int n = 2;
static int shared;
void *worker(void *arg) { shared = 1; return 0; }
int main(int argc, char *argv[]) {
  if (argc != 1) {
    if (argc != 2) exit(1);
    sscanf(argv[1], "%d", &n);
  }
  pthread_t id[2];
  for (int i = 0; i < n && i < 2; i++)
    if (pthread_create(&id[i], 0, worker, 0)) exit(1);
  return 0;
}
