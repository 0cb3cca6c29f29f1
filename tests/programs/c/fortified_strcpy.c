// expect: false
// data-model: LP64
// What glibc's headers make of strcpy with _FORTIFY_SOURCE: a body for inlining, which calls the function itself.
extern void reach_error(void);
extern __inline __attribute__((__always_inline__)) __attribute__((__gnu_inline__)) char *strcpy(char *d, const char *s) {
  return __builtin___strcpy_chk(d, s, __builtin_object_size(d, 1));
}
int main(void) {
  char a[8];
  strcpy(a, "abc");
  if (a[1] == 'b') reach_error();
  return 0;
}
