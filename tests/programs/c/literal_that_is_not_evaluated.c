// expect: true
// property: valid-memsafety
#include <stdlib.h>
struct s { int a; }; 
int use(struct s *p) { return p ? p->a : 0; }
int main(int argc, char **argv){ int *h = malloc(4); if (!h) return 1; { int r = use(argc > 1 ? &(struct s){argc} : 0); *h = r; } *h += 1; free(h); return 0; }
