// expect: true
// property: no-data-race
// A list under one lock; new nodes are private until they are linked in.
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int v) {
  struct node *n = malloc(sizeof *n);
  n->value = v;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
}
static int sum(void) {
  int s = 0;
  pthread_mutex_lock(&m);
  for (struct node *n = head; n; n = n->next) { s ^= n->value; n->value = 0; }
  pthread_mutex_unlock(&m);
  return s;
}
void *worker(void *arg) { push(1); sum(); return 0; }
int main(void) {
  pthread_t id;
  for (int i = 0; i < 4; i++) pthread_create(&id, 0, worker, 0);
  push(2);
  sum();
  return 0;
}
