// expect: false(valid-deref)
// property: undefined
// A library without main: the empty list has no last element.
struct node {
  int value;
  struct node *next;
};

unsigned length(const struct node *list) {
  unsigned n = 0;
  for (; list; list = list->next) n++;
  return n;
}

int last(const struct node *list) {
  while (list->next) list = list->next;
  return list->value;
}
