// expect: true
// property: no-data-race
// Thread functions come from a table.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) { pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); return 0; }
void *second(void *arg) { pthread_mutex_lock(&m); data--; pthread_mutex_unlock(&m); return 0; }
struct job { void *(*run)(void *); } jobs[2] = { { first }, { second } };
int main(void) {
  pthread_t id;
  for (int i = 0; i < 2; i++) pthread_create(&id, 0, jobs[i].run, 0);
  return 0;
}
