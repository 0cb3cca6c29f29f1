// expect: true
// engine: cell-morphing, auto
// What must hold of the third array is pulled back to what was stored in the others.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int left[30000], right[30000], same[30000];
    for (int i = 0; i < 30000; i++) {
        int x = __VERIFIER_nondet_int();
        left[i] = x;
        right[i] = x;
    }
    for (int i = 0; i < 30000; i++) {
        same[i] = left[i] == right[i];
    }
    for (int i = 0; i < 30000; i++) {
        if (!same[i]) {
            reach_error();
        }
    }
    return 0;
}
