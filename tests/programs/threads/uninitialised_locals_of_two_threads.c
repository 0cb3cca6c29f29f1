// expect: false
// Two threads choose values of one name.
#include <pthread.h>
extern void reach_error(void);
int g;
void *f(void *arg) { int x; if (x == 3) g++; return 0; }
int main(void) {
  pthread_t a, b; int y;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  if (g == 1 && y == 5) reach_error();
}
