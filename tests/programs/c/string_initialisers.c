// expect: true
extern void reach_error(void);
int main(void) {
    char s[] = "\x41" "\102"; char t[2] = "ab"; if (sizeof s != 3 || s[1] != 'B' || t[1] != 'b') reach_error();
    return 0;
}
