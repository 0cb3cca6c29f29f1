// expect: unknown
// property: valid-memsafety
// No invalid access is reported of arguments of main that are used as they should be.
int main(int argc, char **argv) {
  return argc > 1 && argv[1][0] == 'x';
}
