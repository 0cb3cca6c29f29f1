// expect: false
// property: termination
// An unsigned char is less than 256 for ever.
int main(void) { unsigned char i; for (i = 0; i < 256; i++); return 0; }
