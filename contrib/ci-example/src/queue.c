#include "queue.h"

void queue_init(struct queue *q) {
  q->first = 0;
  q->length = 0;
}

int queue_push(struct queue *q, int item) {
  if (q->length > CAPACITY) { /* the bug: it is full already at CAPACITY */
    return 0;
  }
  q->items[(q->first + q->length) % CAPACITY] = item;
  q->length++;
  return 1;
}

int queue_pop(struct queue *q, int *item) {
  if (q->length == 0) {
    return 0;
  }
  *item = q->items[q->first];
  q->first = (q->first + 1) % CAPACITY;
  q->length--;
  return 1;
}
