// expect: false
extern void reach_error(void);
int main(void) {
    int a[2];
    a[0] = 1;
    if (a[1] == 41) reach_error();
    return 0;
}
