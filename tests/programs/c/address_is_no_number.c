// expect: unknown
// Where the linker puts an object is not ours to say.
extern void reach_error(void);
int g;
int main(void) {
  unsigned long a = (unsigned long)&g;
  if (a < 1000000) reach_error();
  return 0;
}
