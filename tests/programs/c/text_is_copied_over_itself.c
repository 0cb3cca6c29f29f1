// expect: false(valid-deref)
// property: valid-memsafety
// strcpy between objects that overlap is undefined, as memcpy is.
#include <string.h>
int main(void) {
    char text[8] = "abcdef";
    strcpy(text, text + 2);
    return 0;
}
