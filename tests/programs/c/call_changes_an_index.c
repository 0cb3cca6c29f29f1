// expect: unknown
extern void reach_error(void);
int i, a[2];
static int step(void) {
    i = 1;
    return 5;
}
int main(void) {
    a[i] = step();
    if (a[1] == 5) reach_error();
    return 0;
}
