// expect: true
// data-model: LP64
#include <assert.h>
static void *table[2] = {(void *)3, (void *)-1};
static void *get(int i) { return table[i]; }
int main(void) {
  int n = 7;
  void *p = (void *)(long)n;
  assert((long)p == 7 && (int)(long)p == 7 && (char)(long)p == 7);
  assert((long)get(0) == 3 && (long)get(1) == -1);
  return 0;
}
