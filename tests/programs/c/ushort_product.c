// expect: false
// property: no-overflow
int main(void) {
    unsigned short s = 65535; unsigned r = s * s;
    return 0;
}
