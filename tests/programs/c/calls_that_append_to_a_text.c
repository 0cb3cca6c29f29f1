// expect: unknown
// may: false
// timeout: 3s
// Arguments are evaluated in no order; both calls append to one array.
#include <assert.h>
#include <string.h>
static char text[8];
static int append(const char *more) {
    strcat(text, more);
    return 0;
}
static int both(int a, int b) {
    return a + b;
}
int main(void) {
    both(append("a"), append("b"));
    assert(text[0] == 'a');
    return 0;
}
