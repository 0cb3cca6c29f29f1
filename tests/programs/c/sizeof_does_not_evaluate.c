// expect: true
extern void reach_error(void);
int main(void) {
    int i = 0; int s = sizeof(i++); if (i) reach_error();
    return 0;
}
