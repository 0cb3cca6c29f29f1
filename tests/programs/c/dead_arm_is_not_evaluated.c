// expect: true
extern void reach_error(void);
int main(void) {
    int x = 0, y = 5; int z = x ? 10 / x : y; if (z != 5) reach_error();
    return 0;
}
