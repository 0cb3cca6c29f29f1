// expect: false
extern void reach_error(void);
int main(void) {
    unsigned x = 0; x--; if (x > 5) reach_error();
    return 0;
}
