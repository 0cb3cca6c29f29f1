// expect: true
#include <assert.h>
_Noreturn void fail(int code);
int main(int argc, char **argv) {
  if (argc > 3) fail(1);
  assert(argc <= 3);
  return 0;
}
