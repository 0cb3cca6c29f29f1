// expect: true
// There are bases up to 36 (POSIX strtol: EINVAL).
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
    errno = 0;
    assert(strtol("12", 0, 40) == 0 && errno == EINVAL);
    assert(strtoul("12", 0, 1) == 0);
    assert(strtol("12", 0, 36) == 38);
    return 0;
}
