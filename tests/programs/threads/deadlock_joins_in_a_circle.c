// expect: false(no-deadlock)
// property: no-deadlock
// Two threads wait for each other's end.
#include <pthread.h>
pthread_t s, t;
pthread_mutex_t m;
void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
void *two(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_join(s, 0); return 0; }
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_mutex_unlock(&m);
  while (1) ;
}
