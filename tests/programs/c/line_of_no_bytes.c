// expect: true
// With no room at all, fgets writes nothing.
#include <assert.h>
#include <stdio.h>
int main(void) {
    char line[4] = "abc";
    char *got = fgets(line, 0, stdin);
    assert(!got && line[0] == 'a');
    return 0;
}
