// expect: unknown
// may: true
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(getpid() == getpid());
  return 0;
}
