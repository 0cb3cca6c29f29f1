#include <assert.h>
int main(void) {
  int i = 0;
  while (i < 10)
    i++;
  assert(i != 10);
}
