// property: termination
extern int __VERIFIER_nondet_int(void);
struct node {
  int value;
  struct node *next;
};

int sum(struct node *list) {
  int total = 0;
  while (list) {
    total ^= list->value;
    list = list->next;
  }
  return total;
}

int main(void) {
  struct node a, b;
  a.value = __VERIFIER_nondet_int();
  b.value = 0;
  a.next = &b;
  b.next = a.value == 0 ? &a : 0;
  return sum(&a);
}
