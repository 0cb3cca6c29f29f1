// expect: true
// args: --entry f --pointers object
// The low byte of a word comes first.
extern void reach_error(void);
struct cpu { union { struct { unsigned char low, high; }; unsigned short both; } ax; };
int f(struct cpu *cpu) {
  cpu->ax.both = 0x1234;
  if (cpu->ax.low != 0x34 || cpu->ax.high != 0x12) reach_error();
  return 0;
}
