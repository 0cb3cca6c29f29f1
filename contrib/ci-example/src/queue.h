#ifndef QUEUE_H
#define QUEUE_H

#define CAPACITY 4

/* A queue of at most CAPACITY numbers. */
struct queue {
  int items[CAPACITY];
  int first;
  int length;
};

void queue_init(struct queue *q);
int queue_push(struct queue *q, int item);
int queue_pop(struct queue *q, int *item);

#endif
