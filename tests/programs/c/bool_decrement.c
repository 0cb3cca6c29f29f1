// expect: true
extern void reach_error(void);
int main(void) {
    _Bool b = 0; b--; if (!b) reach_error();
    return 0;
}
