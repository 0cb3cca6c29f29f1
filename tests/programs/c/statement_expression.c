// expect: true
extern void reach_error(void);
int main(void) {
    int i = 3; int x = ({ int t = i++; t + i; }); if (x != 7) reach_error();
    return 0;
}
