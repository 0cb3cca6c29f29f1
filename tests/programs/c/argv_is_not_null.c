// expect: true
// The arguments of main: never null, ended by a null pointer.
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argv == 0 || argv[0] == 0 || argv[argc] != 0)
    reach_error();
  return 0;
}
