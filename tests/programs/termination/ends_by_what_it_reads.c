// expect: true
// property: termination
// All loops are short, whatever is read.
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char s[8], t[16];
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    if (n > 7) return 0;
    for (unsigned k = 0; k < n; k++) s[k] = __VERIFIER_nondet_char();
    s[n] = 0;
    while (s[i]) {
        if (s[i] == '\\' && s[i + 1]) { t[j++] = s[i]; i++; }
        t[j++] = s[i++];
    }
    t[j] = 0;
    return t[0];
}
