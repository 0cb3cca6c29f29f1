// expect: true
// The bytes of a record behind a void pointer are those that were written through another pointer.
#include <assert.h>
#include <stdlib.h>
struct head { unsigned char kind, length; };
struct message { void *data; unsigned n; };
static unsigned sum(const void *p, unsigned n) {
  const unsigned char *bytes = p;
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) total += bytes[i];
  return total;
}
int main(void) {
  struct message m = { malloc(sizeof(struct head)), sizeof(struct head) };
  if (!m.data) return 0;
  struct head *head = m.data;
  head->kind = 3;
  head->length = 4;
  assert(sum(m.data, m.n) == 7);
  return 0;
}
