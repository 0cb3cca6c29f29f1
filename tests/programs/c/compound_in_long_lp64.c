// expect: true
// property: no-overflow
// data-model: LP64
int main(void) {
    int x = 2147483647; x += 1L;
    return 0;
}
