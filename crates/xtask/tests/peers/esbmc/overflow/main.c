int main(void) {
  int x = 2147483646;
  x++;
  return x == 0;
}
