// expect: false(valid-deref)
// property: valid-memsafety
#include <string.h>
int main(int argc, char **argv) {
    char buffer[5];
    strcpy(buffer, "hello");
    return 0;
}
