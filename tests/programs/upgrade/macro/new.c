// expect: false(valid-deref)
// property: valid-memsafety
// state: new
extern void abort(void);
extern void reach_error(void);
extern int input(void);
#define MAX 9
int main(void) {
  int a[8];
  for (int i = 0; i < MAX; i++) a[i] = i;
  return a[0];
}
