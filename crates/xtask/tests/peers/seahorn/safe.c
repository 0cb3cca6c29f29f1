// RUN: %sea pf "%s" 2>&1 | OutputCheck %s
// CHECK: ^unsat$
#include "seahorn/seahorn.h"
extern int nd(void);
int main(void) {
  int x = nd();
  assume(x > 3);
  sassert(x > 2);
  return 0;
}
