// expect: false(unreach-call)
#include <pthread.h>
extern void reach_error(void);
void *t(void *a) { reach_error(); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); return 0; }
