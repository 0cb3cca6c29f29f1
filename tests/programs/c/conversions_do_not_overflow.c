// expect: true
// property: no-overflow
int main(void) {
    int x = 2147483648; char c = 300; short s = 32767; s++;
    return 0;
}
