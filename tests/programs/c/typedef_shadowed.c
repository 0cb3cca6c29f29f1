// expect: true
extern void reach_error(void);
typedef int T;
int main(void) {
    int T = 3; if (T * 2 != 6) reach_error();
    return 0;
}
