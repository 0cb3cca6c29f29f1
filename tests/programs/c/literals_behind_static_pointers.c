// expect: true
#include <assert.h>
struct p { int x, y; }; struct p *g = &(struct p){3, 4}; int *arr = (int[]){1,2,3}; struct p val = (struct p){.y = 9};
char *names[] = { (char[]){'a', 0}, "b" };
int main(void){ assert(g->x == 3 && g->y == 4); assert(arr[2] == 3); assert(val.x == 0 && val.y == 9); g->x = 7; assert(g->x == 7); assert(names[0][0] == 'a' && names[1][0] == 'b'); return 0; }
