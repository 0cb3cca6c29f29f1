// expect: true
// data-model: LP64
#include <assert.h>
#include <stddef.h>
#include <sys/queue.h>
struct item { int n; TAILQ_ENTRY(item) links; };
TAILQ_HEAD(items, item);
struct node { int n; SLIST_ENTRY(node) next; };
SLIST_HEAD(nodes, node);
int main(void) {
  struct items q = TAILQ_HEAD_INITIALIZER(q);
  struct item a = {1}, b = {2}, c = {3}, *i;
  int s = 0;
  TAILQ_INSERT_TAIL(&q, &a, links);
  TAILQ_INSERT_TAIL(&q, &c, links);
  TAILQ_INSERT_AFTER(&q, &a, &b, links);
  TAILQ_REMOVE(&q, &a, links);
  TAILQ_FOREACH(i, &q, links) s = 10 * s + i->n;
  assert(s == 23 && TAILQ_FIRST(&q) == &b);
  struct nodes l = SLIST_HEAD_INITIALIZER(l);
  struct node x = {4}, y = {5}, *j;
  SLIST_INSERT_HEAD(&l, &x, next);
  SLIST_INSERT_HEAD(&l, &y, next);
  SLIST_FOREACH(j, &l, next) s = 10 * s + j->n;
  assert(s == 2354);
  return 0;
}
