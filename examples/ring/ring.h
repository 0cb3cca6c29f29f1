/* A queue of bounded length in an array. SPDX-License-Identifier: MIT */
#ifndef RING_H
#define RING_H

#define RING_SIZE 8

struct ring {
  int items[RING_SIZE];
  unsigned first; /* the oldest item */
  unsigned count; /* how many there are */
};

void ring_init(struct ring *r);
int ring_put(struct ring *r, int item);  /* 0 if there is no room */
int ring_get(struct ring *r, int *item); /* 0 if there is none */

#endif
