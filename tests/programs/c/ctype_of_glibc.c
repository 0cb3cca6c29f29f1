// expect: true
// What isalpha and its like are in preprocessed text.
#include <assert.h>
extern const unsigned short **__ctype_b_loc(void);
extern const int **__ctype_toupper_loc(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int c = __VERIFIER_nondet_int();
  assert((*__ctype_b_loc())['a'] & 1024);
  assert((*__ctype_toupper_loc())['a'] == 'A');
  if (c >= 0 && c < 256 && ((*__ctype_b_loc())[c] & 2048)) assert(c >= '0' && c <= '9');
  return 0;
}
