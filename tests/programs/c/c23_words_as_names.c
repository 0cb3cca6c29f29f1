// expect: true
// Before C23 they were names like any other.
extern void reach_error(void);
typedef enum { false, true } bool;
static const int N = 4; int table[N];
bool flip(bool b) { return b == true ? false : true; }
struct S { bool bool_; int constexpr; };
int main(void) { struct S s = { .constexpr = 3 }; if (flip(false) != true || s.constexpr != 3 || sizeof(bool) != 4) reach_error(); int static_assert = 3; (void)static_assert; return 0; }
