// expect: true
extern void reach_error(void);
int main(void) {
    int i = 0, a[2] = { 1, 2 }; int v = a[i++]; if (v != 1 || i != 1) reach_error();
    return 0;
}
