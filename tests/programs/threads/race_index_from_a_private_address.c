// expect: false(no-data-race)
// property: no-data-race
// The address of a private block only chooses the cell.
#include <pthread.h>
#include <stdlib.h>
int table[2]; int *g;
void *f(void *a){ int *p = malloc(4); *p=0; table[p == g]++; return 0; }
int main(){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); return 0; }
