// expect: true
// property: valid-memsafety
extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern void reach_error(void);
void done(int *p) { free(p); }
int main(void) {
  int *p = malloc(sizeof(int));
  if (!p) return 0;
  *p = 1;
  if (*p != 1) reach_error();
  done(p);
  return 0;
}
