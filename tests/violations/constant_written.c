// property: valid-memsafety
int main(void) {
  char *text = "abc";
  text[1] = 'x';
  return text[0];
}
