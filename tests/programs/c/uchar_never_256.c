// expect: false
// property: termination
int main(void) {
    unsigned char i; for (i = 0; i < 256; i++) ;
    return 0;
}
