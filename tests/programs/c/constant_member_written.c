// expect: unknown
// may: false
// property: valid-memsafety
static const struct { char b[4]; } s;
int main(void) {
  ((char *)s.b)[0] = 'x';
  return 0;
}
