// expect: false
// property: no-uninitialised-read
// The copies have the unset member too.
struct pair { int a, b; };
int main(void) {
    struct pair x, z = {1, 2};
    x.a = 1;
    struct pair y = x;
    z = y;
    return z.b;
}
