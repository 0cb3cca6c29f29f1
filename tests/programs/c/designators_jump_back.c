// expect: true
extern void reach_error(void);
int main(void) {
    int a[3] = { [2] = 5, [0] = 1, 7 }; if (a[0] != 1 || a[1] != 7 || a[2] != 5) reach_error();
    return 0;
}
