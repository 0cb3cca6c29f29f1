// expect: unknown
#include <stdlib.h>
extern void reach_error(void);
int seen[2];
int main(void) {
    srand(1);
    seen[0] = rand() % 10;
    if (seen[0] == 7) reach_error();
    return 0;
}
