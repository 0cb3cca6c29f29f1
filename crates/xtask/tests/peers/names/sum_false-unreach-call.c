extern void reach_error(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += i;
  if (sum == 6)
    reach_error();
  return 0;
}
