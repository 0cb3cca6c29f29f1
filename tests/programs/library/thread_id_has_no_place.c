// expect: false(valid-deref)
// property: valid-memsafety
// The id of the thread is stored.
#include <pthread.h>
void *f(void *a) { return 0; }
int main(void) { pthread_t *t = 0; pthread_create(t,0,f,0); return 0; }
