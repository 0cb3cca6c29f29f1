// expect: true
// data-model: LP64
// Floating arithmetic is that of IEEE 754, rounded to nearest.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    double a = 0.1, b = 0.2;
    if (a + b == 0.3) reach_error();
    float big = 16777216.0f;
    if (big + 1.0f != big) reach_error();
    float x = __VERIFIER_nondet_float();
    if (x >= 1.0f && x <= 2.0f && x + x < x) reach_error();
    if (x > 0.0f && !(x + 1.0f >= 1.0f)) reach_error();
    if ((int)-2.75 != -2 || (int)2.75f != 2) reach_error();
    return 0;
}
