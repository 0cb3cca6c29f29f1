// expect: unknown
// property: termination
// Moving a pointer further than one behind its object is undefined, also if nothing is accessed through it.
int a[1000];
int main(void) {
  int *p = a;
  int c = 1;
  do {
    p++;
  } while (c != -5);
  return 0;
}
