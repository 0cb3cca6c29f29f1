// expect: unknown
extern void reach_error(void);
int main(void) {
  int i = 1;
  int r = i++ + i++;
  if (r != 3)
    reach_error();
  return 0;
}
