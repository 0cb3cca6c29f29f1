// expect: true
// property: valid-memsafety
int main(void){ int *p; int s = 0; switch (2) { int y; case 1: y = 1; case 2: p = &y; *p = 7; s += *p; { int z; case 3: p = &z; *p = 2; s += z; } } return s; }
