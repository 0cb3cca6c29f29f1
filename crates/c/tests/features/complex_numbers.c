// Complex floating numbers (words only).
typedef _Complex double cd;
_Complex double global = 1.0 + 2.0i;
static _Complex float sf = 3.0fi;
static cd twice(cd z) { return z * 2; }
struct holder { int n; _Complex float z; };
int main(void) {
  cd a = 1.0 + 2.0i, b = 3.0 - 1.0i, c;
  c = a + b; CHK(__real__ c); CHK(__imag__ c);
  c = a - b; CHK(__real__ c); CHK(__imag__ c);
  c = a * b; CHK(__real__ c); CHK(__imag__ c);
  c = a / 2; CHK(__real__ c * 2); CHK(__imag__ c);
  c = 5 - a; CHK(__real__ c); CHK(__imag__ c); c = 5 + a; CHK(__imag__ c); c = a - 5; CHK(__real__ c);
  c = -a; CHK(__real__ c); CHK(__imag__ c); c = ~a; CHK(__imag__ c); CHK(!a); CHK(!!a);
  CHK(a == b); CHK(a != b); CHK(a == a); CHK(a == 1.0 + 2.0i); CHK((cd)4 == 4);
  c = twice(a); CHK(__real__ c); CHK(__imag__ c);
  __real__ c = 7; __imag__ c = -7; CHK(__real__ c); CHK(__imag__ c);
  c += 1; CHK(__real__ c); c *= a; CHK(__real__ c); CHK(__imag__ c); c -= 2.0i; CHK(__imag__ c);
  CHK(__real__ global); CHK(__imag__ global); CHK(__imag__ sf); CHK(__real__ sf);
  double r = a; CHK(r); _Bool t = a; CHK(t); int i = b; CHK(i); CHK((int)a); CHK((_Bool)(0.0i));
  if (a) CHK(1); else CHK(0); CHK(a && b); CHK((a - a) || 0); CHK(a ? 3 : 4);
  CHK(sizeof(cd)); CHK(sizeof(_Complex float)); CHK(_Alignof(_Complex float)); CHK(sizeof(struct holder)); CHK(sizeof a);
  struct holder h = {3, 2.5f + 4.0fi}; struct holder g = h; CHK(__real__ g.z * 2); CHK(__imag__ g.z);
  cd arr[3] = {1, 2.0i, 3 + 3.0i}; CHK(__imag__ arr[1]); CHK(__imag__ arr[2]); CHK(__real__ arr[0]);
  cd *p = &arr[1]; *p += arr[0]; CHK(__real__ *p); CHK(((double *)p)[1]);
  c = a; c++; CHK(__real__ c); --c; CHK(__real__ c); CHK(__real__ (c++)); CHK(__real__ c);
  CHK(__real__ 5); CHK(__imag__ 5); CHK(__imag__ (a * 1.0i));
  _Complex float f = a; CHK(__imag__ f); c = f * b; CHK(__real__ c);
  c = __builtin_complex(1.0, 9.0); CHK(__imag__ c);
  CHK(__real__ (1 ? a : 2)); CHK(_Generic(a * 1.0f, _Complex double: 1, default: 2)); CHK(_Generic(f, _Complex float: 1, default: 2));
  return 0;
}
