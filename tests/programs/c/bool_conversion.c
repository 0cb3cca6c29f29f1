// expect: true
extern void reach_error(void);
int main(void) {
    _Bool b = 2, c = 0.5; if (b != 1 || c != 1) reach_error();
    return 0;
}
