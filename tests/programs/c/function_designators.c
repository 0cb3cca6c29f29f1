// expect: true
extern void reach_error(void);
int f(int x) { return x + 1; }
int main(void) {
    int y = (f)(3) + (**f)(4); if (y != 9) reach_error();
    return 0;
}
