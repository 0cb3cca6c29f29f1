// expect: unknown
// Arguments may be evaluated in any order; gcc begins with the last.
extern void reach_error(void);
int count;
static int next(void) { return ++count; }
static int pair(int a, int b) { return 10 * a + b; }
int main(void) {
    if (pair(next(), next()) != 12) reach_error();
    return 0;
}
