// expect: true
extern void reach_error(void);
int main(void) {
    if (-1 < 1u) reach_error();
    return 0;
}
