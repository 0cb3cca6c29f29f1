// expect: true
extern void reach_error(void);
int main(void) {
    int a[3]; int *p = a + 3; int n = p - a; if (n != 3) reach_error();
    return 0;
}
