// expect: true
extern void reach_error(void);
int main(void) {
    int a[4], sum = 0;
    for (int *p = a; p < a + 4; p++) *p = p - a;
    for (int *p = &a[3]; p >= &a[1]; p--) sum += *p;
    if (sum != 6) reach_error();
    return 0;
}
