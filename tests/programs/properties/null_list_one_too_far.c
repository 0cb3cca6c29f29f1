// expect: false(no-null-dereference)
// property: no-null-dereference
// data-model: LP64
#include <stdlib.h>
struct n { struct n *next; };
int main(void) { struct n c = {0}, b = {&c}, a = {&b}; struct n *p = &a; for (int i = 0; i < 4; i++) p = p->next; return p != 0; }
