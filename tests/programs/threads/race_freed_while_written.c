// expect: false(no-data-race)
// property: no-data-race
// Freeing a block is an access to it.
#include <pthread.h>
#include <stdlib.h>
int *p;
void *f(void *a){ *p=1; return 0; }
void *h(void *a){ free(p); return 0; }
int main(){ p=malloc(4); pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,h,0);  pthread_join(a,0); pthread_join(b,0); return 0; }
