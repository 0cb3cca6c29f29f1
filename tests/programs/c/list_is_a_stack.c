// expect: true
// property: valid-memsafety
// engine: indexed-predicates, auto
//
// A stack in a global variable: all that was pushed is popped and freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct node *stack;
void push(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->value = value;
  n->next = stack;
  stack = n;
}
int pop(void) {
  struct node *n = stack;
  int value = n->value;
  stack = n->next;
  free(n);
  return value;
}
int main(void) {
  while (__VERIFIER_nondet_int()) push(__VERIFIER_nondet_int());
  while (stack) pop();
  return 0;
}
