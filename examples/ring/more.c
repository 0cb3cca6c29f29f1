/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include "ring.h"

int main(void) {
  struct ring r;
  int item = 0;
  ring_init(&r);
  ring_put(&r, 5);
  ring_get(&r, &item);
  assert(item == 5);
  return 0;
}
