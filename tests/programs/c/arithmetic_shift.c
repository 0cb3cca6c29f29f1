// expect: true
extern void reach_error(void);
int main(void) {
    int x = -8; if (x >> 1 != -4 || x >> 31 != -1) reach_error();
    return 0;
}
