// expect: true
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *a = malloc(n * sizeof(int));
    if (!a) return 0;
    for (int i = n - 1; i >= 0; i--) a[i] = i;
    for (int k = 0; k < n; k++)
        if (a[k] != k) reach_error();
    free(a);
    return 0;
}
