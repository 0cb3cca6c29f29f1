// expect: false(valid-deref)
// property: valid-memsafety
// Without a second argument there is a null pointer.
int main(int argc, char **argv) {
  return argv[1][0] == 'x';
}
