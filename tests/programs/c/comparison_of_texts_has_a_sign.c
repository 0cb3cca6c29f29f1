// expect: true
#include <string.h>
extern void reach_error(void);
static int order(const char *a, const char *b) { return strcmp(a, b); }
int main(void) {
    int less = memcmp("\x7f", "\x80", 1), same = order("ab", "ab");
    if (strcmp("b", "a") <= 0 || !strcmp("b", "a") || less >= 0 || same != 0 || order("a", "b") >= 0) reach_error();
    return 0;
}
