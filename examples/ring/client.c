/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include "ring.h"

int main(void) {
  struct ring r;
  int item = 0;
  ring_init(&r);
  for (int i = 0; i < 100; i++) {
    int was_put = ring_put(&r, i);
    assert(was_put);
    int was_there = ring_get(&r, &item);
    assert(was_there && r.count == 0);
  }
  return 0;
}
