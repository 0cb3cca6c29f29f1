// expect: true
// A small interpreter with a table of labels.
extern void reach_error(void);
int main(void) {
    static void *table[] = { &&add, &&twice, &&stop };
    int program[] = { 0, 0, 1, 2 };
    int pc = 0, x = 1;
    goto *table[program[pc++]];
add:
    x += 3;
    goto *table[program[pc++]];
twice:
    x *= 2;
    goto *table[program[pc++]];
stop:
    if (x != 14) reach_error();
    return 0;
}
