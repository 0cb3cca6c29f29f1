// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
int f;
void *two(void *a) { f = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, two, 0); while (!f) { } return 0; }
