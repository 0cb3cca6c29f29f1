// expect: false
// data-model: LP64
extern void reach_error(void);
int main(void) {
    unsigned int u = 1; long l = -1; if (l < u) reach_error();
    return 0;
}
