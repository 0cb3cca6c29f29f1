// expect: true
// property: termination
// Short cycles through the inner loops have no execution, but the outer counters rank them all the same.
int main(void) {
  int a, b, c, d;
  for (a = 0; a < 6; ++a)
    for (b = 0; b < 6; ++b)
      for (c = 0; c < 6; ++c)
        for (d = 0; d < 6; ++d) {}
  return a + b + c + d;
}
