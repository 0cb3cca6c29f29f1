// expect: true
// property: no-data-race
// Nobody else ever knows the object.
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *published;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  
  n->value++;
  return 0;
}
void *other(void *arg) {
  pthread_mutex_lock(&m);
  struct node *n = published;
  if (n) n->value = 7;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t id, id2;
  pthread_create(&id, 0, worker, 0);
  pthread_create(&id2, 0, other, 0);
  return 0;
}
