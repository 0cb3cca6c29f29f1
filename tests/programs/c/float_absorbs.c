// expect: false(unreach-call)
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 1.0f && x + 1.0f == x && x < 1e9f) reach_error();
    return 0;
}
