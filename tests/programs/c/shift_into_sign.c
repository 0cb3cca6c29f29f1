// expect: false
// property: no-overflow
int main(void) {
    unsigned char r = 200; unsigned u = r << 24;
    return 0;
}
