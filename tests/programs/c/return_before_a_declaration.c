// expect: true
// property: valid-memsafety
#include <stdlib.h>
int *h; int f(int c){ if(c) return 0; int x; int*p=&x; *p=1; return x;}
int main(void){ h = malloc(4); if (!h) return 1; f(1); *h = 1; free(h); return 0; }
