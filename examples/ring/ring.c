/* SPDX-License-Identifier: MIT */
#include "ring.h"

void ring_init(struct ring *r) {
  r->first = 0;
  r->count = 0;
}

int ring_put(struct ring *r, int item) {
  if (r->count == RING_SIZE)
    return 0;
  r->items[(r->first + r->count) % RING_SIZE] = item;
  r->count++;
  return 1;
}

int ring_get(struct ring *r, int *item) {
  if (r->count == 0)
    return 0;
  *item = r->items[r->first];
  r->first = (r->first + 1) % RING_SIZE;
  r->count--;
  return 1;
}
