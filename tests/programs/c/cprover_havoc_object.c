// expect: false(unreach-call)
struct s { int a, b; };
int main(void) {
  struct s s = { 1, 2 };
  __CPROVER_havoc_object(&s);
  __CPROVER_assert(s.a != 7 || s.b != 8, "any");
  return 0;
}
