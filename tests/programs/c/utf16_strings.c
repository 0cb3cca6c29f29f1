// expect: true
// data-model: LP64
// A character beyond the first plane is two units of UTF-16; the elements of U"" are unsigned.
#include <uchar.h>
extern void reach_error(void);
int main(void) {
    char16_t pair[] = u"a\U0001F600\xabcd";
    char32_t one[] = U"\U0001F600";
    if (sizeof pair != 10 || pair[1] != 0xd83d || pair[2] != 0xde00 || pair[3] != 0xabcd) reach_error();
    if (sizeof one != 8 || one[0] != 0x1f600 || U"\xffffffff"[0] <= 0) reach_error();
    return 0;
}
