// expect: true
// property: no-uninitialised-read
struct pair { int a, b; };
static struct pair swap(struct pair p) {
    struct pair q = p;
    q.a = p.b;
    q.b = p.a;
    p = q;
    return p;
}
int main(void) {
    struct pair x = {1, 2}, y;
    y = x;
    struct pair z = swap(y);
    return z.a + z.b;
}
