// expect: true
extern void reach_error(void);
static char b[8192];
int main(void) {
    if (b[8191]) reach_error();
    return 0;
}
