// expect: unknown
// may: false
// Without a definition the address of a weak object is null.
extern void reach_error(void);
extern int e __attribute__((weak));
int main(void) {
    if (&e == 0) reach_error();
    return 0;
}
