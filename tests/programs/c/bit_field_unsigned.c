// expect: true
extern void reach_error(void);
int main(void) {
    struct { unsigned b : 3; } s; s.b = 9; if (s.b != 1) reach_error();
    return 0;
}
