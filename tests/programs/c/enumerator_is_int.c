// expect: false
extern void reach_error(void);
int main(void) {
    enum E { A, B }; enum E e = A; if (A - 1 < 0) reach_error();
    return 0;
}
