// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
unsigned head, tail;
int count;
int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int()) {
            if (count < 8) { head++; count++; }
        } else if (count > 0) {
            tail++; count--;
        }
        if (head - tail != (unsigned)count) reach_error();
    }
}
