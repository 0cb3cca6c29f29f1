// expect: true
extern void reach_error(void);
int main(void) {
    union { int a; int b; } u; u.a = 10; u.b = 20; if (u.a != 20) reach_error();
    return 0;
}
