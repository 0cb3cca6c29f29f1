// expect: unknown
// What the call does is undefined, but compilers make one that returns.
extern void reach_error(void);
static int one(int a) { return a; }
int main(void) {
    int (*f)(void) = (int (*)(void))one;
    f();
    reach_error();
    return 0;
}
