// expect: false(valid-deref)
// property: valid-memsafety
// No lock is at the null pointer.
#include <pthread.h>
int main(void) { pthread_mutex_t *m = 0; pthread_mutex_lock(m); return 0; }
