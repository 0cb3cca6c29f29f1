// expect: true
extern void reach_error(void);
int main(void) {
    struct { int b : 1; } s; s.b = 1; if (s.b == 1) reach_error();
    return 0;
}
