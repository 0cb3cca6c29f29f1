// expect: true
// property: valid-memsafety
// The last loop needs an equation between its pointer and its counter; nothing in the loops before it matters for that.
typedef unsigned char byte;
typedef unsigned int size;
extern byte __VERIFIER_nondet_uchar(void);
extern size __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned int);
extern void free(void *);
static unsigned sum(const byte *data, size n)
{
    unsigned a = 1, b = 0;
    for (size i = 0; i < n; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b + a;
}
static byte last(const byte *data, size n)
{
    byte x = 0;
    while (n--) {
        x = *data++;
    }
    return x;
}
int main(void)
{
    size n = __VERIFIER_nondet_uint();
    if (n > 100000) {
        return 0;
    }
    byte *buffer = malloc(n + 1);
    for (size i = 0; i < n; i++) {
        buffer[i] = __VERIFIER_nondet_uchar();
    }
    unsigned s = sum(buffer, n);
    byte x = last(buffer, n);
    free(buffer);
    return s > x;
}
