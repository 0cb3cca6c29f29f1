// expect: true
extern void reach_error(void);
int main(void) {
    unsigned char c = 255; c++; if (c != 0) reach_error();
    return 0;
}
