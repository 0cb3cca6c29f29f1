// expect: true
// property: no-null-dereference
// data-model: LP64
#include <stdlib.h>
struct n { struct n *next; };
int main(void) { struct n c = {0}, b = {&c}, a = {&b}; int k = 0; for (struct n *p = &a; p; p = p->next) k++; return k; }
