// expect: unknown
// may: true
// data-model: LP64
extern void reach_error(void);
int main(void) {
    int x = 4;
    unsigned low = (unsigned)(unsigned long)&x, high = (unsigned)((unsigned long)&x >> 32);
    int *p = (int *)((unsigned long)high << 32 | low);
    if (*p != 4) reach_error();
    return 0;
}
