/* proved.c with a mistake. SPDX-License-Identifier: MIT */
#include "ring.h"

/*@ requires \valid(r);
  @ assigns r->first, r->count;
  @ ensures r->first == 0 && r->count == 0;
  @*/
void ring_init(struct ring *r) {
  r->first = 0;
  r->count = 0;
}

/*@ requires \valid(r);
  @ requires r->first < RING_SIZE && r->count <= RING_SIZE;
  @ assigns r->items[(r->first + r->count) % RING_SIZE], r->count;
  @ ensures \result == (\old(r->count) < RING_SIZE);
  @ ensures \result ==> r->count == \old(r->count) + 1;
  @ ensures !\result ==> r->count == \old(r->count);
  @*/
int ring_put(struct ring *r, int item) {
  if (r->count == RING_SIZE)
    return 0;
  r->items[(r->first + r->count) % RING_SIZE] = item;
  r->count++;
  return 1;
}

/*@ requires \valid(r) && \valid(item);
  @ requires r->first < RING_SIZE && r->count <= RING_SIZE;
  @ assigns r->count, *item;
  @ ensures r->first < RING_SIZE;
  @ ensures \result == (\old(r->count) > 0);
  @ ensures \result ==> r->count == \old(r->count) - 1;
  @ ensures \result ==> *item == \old(r->items[r->first]);
  @ ensures !\result ==> r->count == \old(r->count);
  @*/
int ring_get(struct ring *r, int *item) {
  if (r->count == 0)
    return 0;
  *item = r->items[r->first];
  r->first = (r->first + 1) % RING_SIZE;
  r->count--;
  return 1;
}
