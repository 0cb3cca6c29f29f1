// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[100000];
int main(void) {
    int largest = a[0] = __VERIFIER_nondet_int();
    for (int i = 1; i < 100000; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] > largest) largest = a[i];
    }
    for (int i = 0; i < 100000; i++)
        if (a[i] > largest) reach_error();
    return 0;
}
