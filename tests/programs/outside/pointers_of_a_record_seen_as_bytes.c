// expect: true
// args: --entry f --pointers object
// property: valid-memsafety
// What a record from outside points to is seen as bytes; the pointer keeps its object.
struct pair { short x, y; int z; };
struct holder { struct pair *a; };
int f(struct holder *h) {
  if (!h || !h->a) return 0;
  ((char *)h->a)[3] = 1;
  return h->a->z;
}
