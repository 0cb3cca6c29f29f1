// expect: true
// Just above the middle of two floats; the nearest double is the middle itself.
extern void reach_error(void);
int main(void) {
    float above = 1.000000059604644775390626f;
    if (above == 1.0f) reach_error();
    return 0;
}
