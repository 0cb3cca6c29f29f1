// expect: false
// args: --entry f --pointers array:2
// The rows of a matrix that the program is only given are changed by way of their bytes, too.
extern void reach_error(void);
int f(int rows[][3]) {
  unsigned char *bytes = (unsigned char *)rows, before = bytes[0];
  rows[0][0] = ~rows[0][0];
  if (bytes[0] != before) reach_error();
  return 0;
}
