// expect: true
// property: valid-memsafety
// The first value of a constant is no write to it.
static const int k = 7;
static const int *const p = &k;
static const struct { const int *v; } table[] = {{(const int[]){1, 2}}, {&(const int){7}}};
static const double d = 0.5;
int main(void) {
  const double *e = &d;
  static const char c = 'c';
  const char *q = &c;
  return *p + table[0].v[1] + *table[1].v + (*e > 0) + *q;
}
