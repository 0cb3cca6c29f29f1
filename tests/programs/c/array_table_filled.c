// expect: true
// engine: cell-morphing, auto
// Two counters make one index.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[300][400];
int main(void)
{
    int value = __VERIFIER_nondet_int();
    for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 400; j++) {
            table[i][j] = value;
        }
    }
    for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 400; j++) {
            if (table[i][j] != value) {
                reach_error();
            }
        }
    }
    return 0;
}
