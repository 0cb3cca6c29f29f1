// expect: true
extern void reach_error(void);
int main(void) {
    union { int i; char c[4]; } u; u.i = 0x01020304; if (u.c[0] != 4) reach_error();
    return 0;
}
