// expect: unknown
// The compiler rejects this: by the call the function returns int.
extern void reach_error(void);
int main(void) {
  if (size() < 0) reach_error();
  return 0;
}
unsigned long size(void) { return -1; }
