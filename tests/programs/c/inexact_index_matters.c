// expect: unknown
#include <stdlib.h>
extern void reach_error(void);
int seen[10];
int main(void) {
    srand(1);
    seen[rand() % 10] = 1;
    if (seen[3] == 1) reach_error();
    return 0;
}
