// expect: true
extern void reach_error(void);
int main(void) {
    int x = 1; { int x = 2; x++; } goto L; x = 5; L: if (x != 1) reach_error();
    return 0;
}
