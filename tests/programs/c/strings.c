// expect: true
#include <string.h>
extern void reach_error(void);
int main(void) {
    char b[8];
    strcpy(b, "ab");
    strcat(b, "c");
    if (strlen(b) != 3 || strcmp(b, "abc") != 0 || strchr(b, 'c') != b + 2) reach_error();
    return 0;
}
