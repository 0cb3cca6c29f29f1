// expect: true
// engine: auto, execution
// The same walk as in far_violation.c; no input changes what is in the table.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[70000];
int main(void)
{
    int first = __VERIFIER_nondet_int();
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 70000; i++)
            table[i] = round == 0 ? i % 7 : table[i] + 1;
    if (table[69999] == 9 && first > 0) reach_error();
    return 0;
}
