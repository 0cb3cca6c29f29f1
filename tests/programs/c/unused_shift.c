// expect: false
extern void reach_error(void);
int main(void) {
    unsigned long long v = -1; v << 4; reach_error();
    return 0;
}
