// expect: true
extern void reach_error(void);
int count, other;
static int next(void) { return ++count; }
static int more(void) { return ++other; }
static int pair(int a, int b) { return 10 * a + b; }
int main(void) {
    if (next() + next() != 3) reach_error();
    if (pair(next(), more()) != 31) reach_error();
    count = next() ? next() : 0;
    if (count != 5) reach_error();
    return 0;
}
