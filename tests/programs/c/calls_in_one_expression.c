// expect: unknown
// may: false
// Which of the calls comes first is not specified; both append to one queue on the heap.
#include <assert.h>
#include <stdlib.h>
struct queue {
    int items[4];
    int length;
};
static int push(struct queue *q, int item) {
    q->items[q->length++] = item;
    return 0;
}
static int both(int a, int b) {
    return a + b;
}
int main(void) {
    struct queue *q = calloc(1, sizeof *q);
    if (!q) return 0;
    both(push(q, 1), push(q, 2));
    assert(q->items[0] == 1);
    free(q);
    return 0;
}
