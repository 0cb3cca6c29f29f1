// expect: true
// property: valid-memsafety
// The places where loops leave off meet.
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char text[6];
  unsigned n = __VERIFIER_nondet_uint(), at = 0, words = 0;
  if (n > 6) return 0;
  for (unsigned i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  while (at < n) {
    if (text[at] == '"') {
      at++;
      while (at < n && text[at] != '"') {
        if (text[at] == '\\') at++;
        if (at < n && text[at] == (char)117) words++;
        at++;
      }
    }
    at++;
  }
  return words;
}
