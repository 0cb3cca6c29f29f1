// expect: true
extern void reach_error(void);
int main(void) {
    long long v = 135; char *p = (char *)&v; if (*p == 135) reach_error();
    return 0;
}
