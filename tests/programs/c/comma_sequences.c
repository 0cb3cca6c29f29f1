// expect: true
extern void reach_error(void);
int main(void) {
    int i = 0; i = (i++, i + 10); if (i != 11) reach_error();
    return 0;
}
