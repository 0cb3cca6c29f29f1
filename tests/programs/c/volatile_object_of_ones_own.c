// expect: true
#include <assert.h>
volatile int flag;
int main(void) {
  volatile int *p = &flag;
  *p = 3;
  assert(*p == 3 && flag == 3);
  return 0;
}
