// expect: true
extern void reach_error(void);
int main(void) {
    int i; for (i = 0; i < 3; i++) { if (i == 1) continue; } do { i--; if (i) continue; } while (i > 0); if (i) reach_error();
    return 0;
}
