// expect: true
#include <stdlib.h>
extern void reach_error(void);
struct In { int v; };
struct Out { struct In in; int w; };
int main(void) {
    void *p = malloc(sizeof(struct Out));
    struct Out *o = p;
    struct In *i = p;
    o->in.v = 3;
    i->v = 4;
    if (o->in.v != 4) reach_error();
    free(p);
    return 0;
}
