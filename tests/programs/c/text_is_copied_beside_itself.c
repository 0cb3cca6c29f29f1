// expect: true
// property: valid-memsafety
#include <string.h>
int main(void) {
    char text[16] = "abc";
    strcpy(text + 4, text);
    strcat(text, text + 8);
    strncpy(text + 8, text, 4);
    return 0;
}
