// expect: true
extern void reach_error(void);
int main(void) {
    float f = 0.1f; double n = 0.0 / 0.0; if (f == 0.1 || n == n) reach_error();
    return 0;
}
