// expect: false(unreach-call)
#include <assert.h>
struct p { int x, y; }; struct p *g = &(struct p){3, 4};
int main(void){ assert(g->y == 3); return 0; }
