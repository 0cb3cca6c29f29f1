// expect: unknown
// may: false
// property: no-uninitialised-read
// No record keeps which parts of a static object are not set.
struct pair { int a, b; };
static struct pair kept;
int main(void) {
    struct pair x;
    x.a = 1;
    kept = x;
    return kept.b;
}
