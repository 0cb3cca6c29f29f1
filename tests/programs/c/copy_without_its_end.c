// expect: false(valid-deref)
// property: valid-memsafety
// The length of a string does not count the zero at its end: what goes wrong is inside strcpy.
#include <stdlib.h>
#include <string.h>
struct message { unsigned char length; char *text; };
static struct message *make(const char *s) {
  struct message *m = malloc(sizeof *m);
  if (!m)
    return 0;
  m->length = strlen(s);
  m->text = malloc(m->length);
  if (m->text)
    strcpy(m->text, s);
  return m;
}
int main(void) {
  struct message *m = make("hi");
  if (m) {
    free(m->text);
    free(m);
  }
  return 0;
}
