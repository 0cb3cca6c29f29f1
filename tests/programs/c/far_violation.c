// expect: false
// engine: auto, random-testing
// The violation is more than a million steps away, and depends on the first input only.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[70000];
int main(void)
{
    int first = __VERIFIER_nondet_int();
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 70000; i++)
            table[i] = round == 0 ? i % 7 : table[i] + 1;
    if (table[69999] + (first > 0) == 9) reach_error();
    return 0;
}
