// expect: unknown
// args: --entry look
// What a pointer from outside leads to may hold anything: nothing is proved by its being zero, and nothing is refuted.
extern void reach_error(void);
struct node {
  int value;
  struct node *next;
};
extern struct node *get(void);
int look(int *p, char **names) {
  if (*p == 42 && names[1][0] == 'x' && get()->next->value == 7)
    reach_error();
  return 0;
}
