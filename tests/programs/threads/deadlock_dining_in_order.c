// expect: true
// property: no-deadlock
// One philosopher takes the other fork first.
#include <pthread.h>
pthread_mutex_t f[3];
int place[3] = {0, 1, 2};
void *phil(void *p) {
  int i = *(int *)p;
  int k = (i + 1) % 3;
  pthread_mutex_lock(&f[i < k ? i : k]);
  pthread_mutex_lock(&f[i < k ? k : i]);
  pthread_mutex_unlock(&f[(i + 1) % 3]);
  pthread_mutex_unlock(&f[i]);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, phil, &place[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
