/* What must hold of the queue: no sequence of operations overfills it. Choices and items are any, so this is no test. */
#include "queue.c"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct queue q;
  queue_init(&q);
  while (__VERIFIER_nondet_int()) {
    int item;
    if (__VERIFIER_nondet_int()) {
      queue_push(&q, 1);
    } else {
      queue_pop(&q, &item);
    }
    assert(0 <= q.length && q.length <= CAPACITY);
  }
  return 0;
}
