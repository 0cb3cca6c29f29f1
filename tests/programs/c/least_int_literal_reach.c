// expect: true
extern void reach_error(void);
int main(void) {
    int m = -2147483648; if (m >= 0) reach_error();
    return 0;
}
