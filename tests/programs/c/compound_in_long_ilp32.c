// expect: false
// property: no-overflow
// data-model: ILP32
int main(void) {
    int x = 2147483647; x += 1L;
    return 0;
}
