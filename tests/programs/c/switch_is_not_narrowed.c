// expect: true
extern void reach_error(void);
int main(void) {
    long long v = 4294967297LL; switch (v) { case 1: reach_error(); }
    return 0;
}
