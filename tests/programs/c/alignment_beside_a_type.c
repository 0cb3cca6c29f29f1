// expect: true
// An attribute beside the type in `_Alignof`; null as a transparent union of pointers.
extern void reach_error(void);
typedef union {
  const int *number;
  const char *text;
} any __attribute__((__transparent_union__));
static int is_null(any pointer) { return pointer.text == 0; }
int main(void) {
  int x = 1;
  if (_Alignof(int __attribute__((aligned(128)))) != 128 || _Alignof(int) != 4)
    reach_error();
  if (!is_null(0) || is_null(&x) || is_null("a"))
    reach_error();
  return 0;
}
