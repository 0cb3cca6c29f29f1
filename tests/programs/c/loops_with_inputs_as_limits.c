// expect: true
// engine: abstract-interpretation
// The limits are inputs: what is known of them is known of the variables, not of the temporaries that the inputs were read into.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define LOOP                                  \
    {                                         \
        int m = __VERIFIER_nondet_int();      \
        if (m < 0 || m > 1000) {              \
            return 0;                         \
        }                                     \
        int i = 0;                            \
        while (i < m) {                       \
            i++;                              \
        }                                     \
        if (i != m) {                         \
            reach_error();                    \
        }                                     \
    }
int main(void)
{
    LOOP LOOP LOOP LOOP LOOP LOOP
    return 0;
}
