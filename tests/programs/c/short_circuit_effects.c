// expect: true
extern void reach_error(void);
int main(void) {
    int i = 0; int j = i++ && i++; if (i != 1 || j) reach_error();
    return 0;
}
