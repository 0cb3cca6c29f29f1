// expect: unknown
extern void reach_error(void);
struct pair { int x, y; } first, second;
int main(void) {
    if ((char *)&second - (char *)&first == 8) reach_error();
    return 0;
}
