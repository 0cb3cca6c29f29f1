// expect: false
// Only the sign of what strcmp returns is specified.
#include <string.h>
extern void reach_error(void);
int main(void) {
    char high[] = "c", low[] = "a";
    int order = strcmp(high, low);
    if (order == 1) reach_error();
    if (order == 2) reach_error();
    return 0;
}
