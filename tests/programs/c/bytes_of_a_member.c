// expect: true
// The bytes of a member are seen by a pointer to characters, although the struct has characters of its own.
extern void reach_error(void);
struct record {
  struct {
    char tag;
    unsigned short values[2];
  } inner;
  unsigned char rest;
};
int main(void) {
  struct record r = {{-1, {128, 255}}, 7};
  r.inner.values[0]--;
  unsigned char *bytes = (unsigned char *)&r.inner.values[0];
  if (bytes[0] != 127 || bytes[1] != 0)
    reach_error();
  bytes[1] = 1;
  if (r.inner.values[0] != 383)
    reach_error();
  return 0;
}
