/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include "ring.h"

int main(void) {
  struct ring r;
  int item;
  ring_init(&r);
  for (int i = 0; i < 12; i++) {
    assert(ring_put(&r, i));
    if (i >= 3) {
      assert(ring_get(&r, &item));
      assert(item == i - 3);
    }
  }
  return 0;
}
