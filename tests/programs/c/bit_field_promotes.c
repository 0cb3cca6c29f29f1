// expect: true
extern void reach_error(void);
int main(void) {
    struct { unsigned b : 3; } s = { 0 }; if (s.b - 1 > 0) reach_error();
    return 0;
}
