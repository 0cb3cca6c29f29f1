// expect: unknown
extern void reach_error(void);
struct __attribute__((scalar_storage_order("big-endian"))) big { int x; };
int main(void) {
  struct big b;
  b.x = 1;
  if (*(char *)&b == 0) reach_error();
  return 0;
}
