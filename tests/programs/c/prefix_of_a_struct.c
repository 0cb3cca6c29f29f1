// expect: true
// A struct may be seen through one that has the same first members.
extern void reach_error(void);
struct A { int x; };
struct B { int x; int y; };
int main(void) {
    struct B b = { 1, 2 };
    struct A *a = (struct A *)&b;
    a->x = 5;
    if (b.x != 5 || b.y != 2) reach_error();
    return 0;
}
