// expect: false(valid-deref)
// property: valid-memsafety
// Writing to a string literal is undefined, and ends the program where literals are protected.
int main(void) {
  char own[] = "abc";
  own[0] = 'x';
  char *s = own;
  s[1] = 'y';
  s = "abc";
  s[0] = 'x';
  return 0;
}
