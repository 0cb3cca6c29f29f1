// expect: unknown
// Not all arguments of main are there, so nothing is said where there are many.
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 40 && argv[40] == 0)
    reach_error();
  return 0;
}
