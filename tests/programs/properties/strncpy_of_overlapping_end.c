// expect: false(valid-deref)
// property: valid-memsafety
// The end of the text is copied too, so that the two overlap.
#include <string.h>
int main(void) {
    char text[8] = {0};
    strcpy(text + 1, "a");
    strncpy(text, text + 1, 4);
    return 0;
}
