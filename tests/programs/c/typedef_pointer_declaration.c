// expect: true
extern void reach_error(void);
typedef int T;
int main(void) {
    T * T = 0; if (T) reach_error();
    return 0;
}
