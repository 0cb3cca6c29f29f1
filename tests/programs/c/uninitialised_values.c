// expect: false
// Plain, in an array, in a record, and in memory: each has the value that leads to the error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a; int b; };
static int get(int *p) { return *p; }
int main(void) {
  int x, y = __VERIFIER_nondet_int();
  int many[4];
  struct pair t;
  int z;
  if (x == 5 && y == 7 && many[2] == 3 && t.b == 9 && get(&z) == 11)
    reach_error();
  return 0;
}
