// expect: true
extern void reach_error(void);
int main(void) {
    int x = 0; switch (2) { case 1: x = 1; default: x += 2; case 3: x += 3; break; case 4: x = 9; } if (x != 5) reach_error();
    return 0;
}
