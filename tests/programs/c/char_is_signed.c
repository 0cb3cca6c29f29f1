// expect: true
extern void reach_error(void);
int main(void) {
    char c = 135; if (c == 135) reach_error();
    return 0;
}
