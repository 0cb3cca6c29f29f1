// expect: false(valid-deref)
// property: valid-memsafety
// The array has two elements.
struct point { int x, y; };
int main(void) {
    struct point p[] = {[1].x = 1, 2};
    int i = 2;
    return p[i].x;
}
