// expect: unknown
// may: false
// property: valid-memsafety
#include <wchar.h>
int main(void) {
  wcscpy(0, L"abc");
  return 0;
}
