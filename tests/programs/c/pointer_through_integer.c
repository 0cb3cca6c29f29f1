// expect: true
// may: unknown
extern void reach_error(void);
int main(void) {
    const char *s = "x"; unsigned long u = (unsigned long)s; const char *q = (const char *)u; if (*q != 'x') reach_error();
    return 0;
}
