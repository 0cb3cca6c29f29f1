// expect: true
// Words and forms that C23 added.
extern void reach_error(void);
#define CHK(e, v) do { if ((long long)(e) != (v)) reach_error(); } while (0)
constexpr int k = 5;
enum E : unsigned char { X = 200, Y };
[[maybe_unused]] static int f(int, int b) { return b; }
[[nodiscard]] static int g(void) { return 1; }
static_assert(sizeof(int) == 4);
int main() {
  bool b = true; CHK(b, 1); int *p = nullptr; CHK(p == nullptr, 1); CHK(0b101 + 1'000'000, 1000005); CHK(k, 5); CHK(sizeof(enum E), 1); CHK(Y, 201); CHK(f(1, 2), 2);
  typeof(b) c = false; CHK(c, 0); int a[3] = {}; CHK(a[2], 0); struct { int x, y; } s = {}; CHK(s.y, 0); auto q = 3; CHK(q, 3); typeof_unqual(const int) w = 3; w++; CHK(w, 4);
  switch (1) { case 1: [[fallthrough]]; case 2: CHK(22, 22); }
  if (1) goto end;
end:
  int after = 3; CHK(after, 3); CHK(alignof(int), 4); CHK(g(), 1);
  thread_local static int t = 4; CHK(t, 4);
}
