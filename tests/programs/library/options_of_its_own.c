// expect: true
// property: no-overflow
// What the library keeps about options is changed by getopt alone, which the program defines itself.
#include <stdio.h>
#include <string.h>
extern char *optarg;
extern int optind;
int getopt(int argc, char *const *argv, const char *letters) {
    if (optind >= argc) return -1;
    optarg = argv[optind];
    optind = 1;
    return letters[0];
}
int main(int argc, char **argv) {
    optind = 1;
    int c = getopt(argc, argv, "ab");
    fflush(stdout);
    optind++;
    return c == 'a' && optind == 2;
}
