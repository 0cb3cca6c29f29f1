// expect: true
// property: no-data-race
// An array of locks for an array of numbers.
#include <pthread.h>
#include <stdlib.h>
int data[5];
pthread_mutex_t locks[5];
extern int __VERIFIER_nondet_int(void);
static int choose(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 4) return 0; return i; }
void *worker(void *arg) {
  int i = choose();
  pthread_mutex_lock(&locks[i]);
  data[i]++;
  pthread_mutex_unlock(&locks[i]);
  return 0;
}
int main(void) {
  pthread_t id;
  for (int i = 0; i < 5; i++) pthread_mutex_init(&locks[i], 0);
  for (int i = 0; i < 3; i++) pthread_create(&id, 0, worker, 0);
  int i = choose();
  pthread_mutex_lock(&locks[i]); data[i] = 0; pthread_mutex_unlock(&locks[i]);
  return 0;
}
