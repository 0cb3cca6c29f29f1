// expect: false
// property: no-overflow
int main(void) {
    int m = -2147483647 - 1, d = -1; m = m / d;
    return 0;
}
