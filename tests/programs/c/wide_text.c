// expect: true
// Texts of wide characters.
#include <wchar.h>
extern void reach_error(void);
int main(void) {
  wchar_t b[8] = L"ab";
  wcscat(b, L"cd");
  if (wcslen(b) != 4 || b[3] != L'd' || wcscmp(b, L"abcd") != 0 || wcschr(b, L'c') != b + 2 || wcsncmp(b, L"abx", 2) != 0)
    reach_error();
  wmemset(b, L'z', 2);
  if (b[1] != L'z' || b[2] != L'c' || wcsrchr(b, L'q') != 0)
    reach_error();
  return 0;
}
