// expect: true
// data-model: ILP32
extern void reach_error(void);
int main(void) {
    if (sizeof(struct { char c; double d; }) != 12) reach_error();
    return 0;
}
