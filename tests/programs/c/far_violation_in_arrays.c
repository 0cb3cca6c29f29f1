// expect: false(unreach-call)
extern void reach_error(void);
int a[20000], b[20000];
int main(void) {
    for (int i = 0; i < 20000; i++) a[i] = i;
    for (int i = 0; i < 20000; i++) b[i] = a[i];
    if (b[19999] == 19999) reach_error();
    return 0;
}
