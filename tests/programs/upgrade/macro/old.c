// expect: true
// property: valid-memsafety
extern void abort(void);
extern void reach_error(void);
extern int input(void);
#define MAX 8
int main(void) {
  int a[8];
  for (int i = 0; i < MAX; i++) a[i] = i;
  return a[0];
}
