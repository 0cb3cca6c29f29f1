// GNU: complex numbers of integers.
typedef _Complex int ci;
static int quotient(int a, int b, int c, int d) {
  ci x, y; __real__ x = a; __imag__ x = b; __real__ y = c; __imag__ y = d;
  ci q = x / y; return __real__ q * 1000 + __imag__ q;
}
ci global = 3 + 4i;
int main(void) {
  ci a = 1 + 2i, b = 3 - 1i, c;
  c = a + b; CHK(__real__ c); CHK(__imag__ c);
  c = a * b; CHK(__real__ c); CHK(__imag__ c);
  c = a - 3; CHK(__real__ c); c = 3 - a; CHK(__imag__ c); c = a * 5; CHK(__imag__ c); c = ~a; CHK(__imag__ c);
  CHK(quotient(10, 5, 2, 1)); CHK(quotient(10, 5, 1, 2)); CHK(quotient(7, -3, 2, 0)); CHK(quotient(7, 8, 0, 3));
  CHK(quotient(100, 33, 5, -7)); CHK(quotient(-100, 33, -5, 7)); CHK(quotient(9, 9, 4, 4));
  CHK(a == b); CHK(a == 1 + 2i); CHK(a != 0); CHK(!a); CHK(sizeof(ci)); CHK(sizeof(_Complex char)); CHK(_Alignof(_Complex long long));
  c = a; c += b; c *= 2; c -= 1i; CHK(__real__ c); CHK(__imag__ c); c++; CHK(__real__ c);
  CHK(__real__ global); CHK(__imag__ global); CHK((int)global);
  _Complex unsigned char u = 200 + 100i; u = u + u; CHK(__real__ u); CHK(__imag__ u);
  _Complex long long l = a; CHK(__imag__ l); _Complex short s = l; CHK(__real__ s);
  return 0;
}
