// expect: true
// args: --entry f --pointers array:2
// What is written into a row is read through a pointer to bytes.
extern void reach_error(void);
int f(int rows[][3]) {
  unsigned char *bytes = (unsigned char *)rows;
  rows[1][2] = 0x01020304;
  if (bytes[20] != 4 || bytes[23] != 1) reach_error();
  return 0;
}
