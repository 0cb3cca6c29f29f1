// expect: true
extern void reach_error(void);
int main(void) {
    int n = 3; int a[n]; n = 10; if (sizeof a != 3 * sizeof(int)) reach_error();
    return 0;
}
