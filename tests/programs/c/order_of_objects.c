// expect: unknown
// Which of two objects lies before the other is not ours to say.
extern void reach_error(void);
int a, b;
int main(void) {
    if (&a > &b) reach_error();
    return 0;
}
