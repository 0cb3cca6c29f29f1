// expect: true
extern void reach_error(void);
int main(void) {
    unsigned char a = 200, b = 100; if (a + b != 300) reach_error();
    return 0;
}
