// expect: false(valid-deref)
// property: valid-memsafety
// Behind the null pointer there is nothing.
int main(int argc, char **argv) {
  return argv[argc + 1] != 0;
}
