// expect: false
// Two reads of a device may give two values.
extern void reach_error(void);
extern volatile int port;
int main(void) {
  int a = port, b = port;
  if (a != b) reach_error();
  return 0;
}
