// expect: true
// property: valid-memsafety
// Arguments of main that are used as they should be.
int main(int argc, char **argv) {
  return argc > 1 && argv[1][0] == 'x';
}
