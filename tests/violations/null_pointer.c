// property: valid-memsafety
struct node { struct node *next; int value; };

int value_of(struct node *list) {
  return list->value;
}

int main(void) {
  struct node *none = 0;
  return value_of(none);
}
