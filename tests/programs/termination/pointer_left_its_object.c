// expect: unknown
// property: termination
// The pointer is moved in front of its object before the endless loop, which is undefined.
int a[4];
int main(void) {
  int *p = a;
  p--;
  unsigned n = 0;
  while (a[0] < 5) n++;
  return 0;
}
