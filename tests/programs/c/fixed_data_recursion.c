// expect: true
// engine: execution, auto
// Deep recursion, a heap and uninitialised memory, but nothing depends on an input.
#include <assert.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = malloc(sizeof *t);
    if (!t) abort();
    t->key = key;
    t->left = t->right = 0;
    return t;
  }
  if (key < t->key) t->left = insert(t->left, key);
  else t->right = insert(t->right, key);
  return t;
}
static int depth(struct tree *t) {
  if (!t) return 0;
  int a = depth(t->left), b = depth(t->right);
  return 1 + (a > b ? a : b);
}
static int moves;
static void hanoi(int n, int from, int to, int over) {
  if (n == 0) return;
  hanoi(n - 1, from, over, to);
  moves++;
  hanoi(n - 1, over, to, from);
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int keys[] = {4, 2, 6, 1, 9}, unused, input = __VERIFIER_nondet_int();
  struct tree *t = 0;
  for (int i = 0; i < 5; i++) t = insert(t, keys[i]);
  assert(depth(t) == 3 && t->right->right->key == 9);
  hanoi(6, 1, 2, 3);
  assert(moves == 63);
  int sum = 0, kept = input;
  for (int i = 0; i < 20000; i++) sum += i % 7;
  assert(sum == 59997);
  assert(kept == input || kept != 0 || unused == 0 || 1);
  return 0;
}
