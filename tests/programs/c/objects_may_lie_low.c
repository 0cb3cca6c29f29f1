// expect: unknown
// Nothing in C forbids that an object has a small number as its address.
#include <stdlib.h>
extern void reach_error(void);
static int is_error(const void *p) { return (unsigned long)p > 2012UL; }
int main(void)
{
    int *p = malloc(sizeof *p);
    if (p && !is_error(p)) reach_error();
    return 0;
}
