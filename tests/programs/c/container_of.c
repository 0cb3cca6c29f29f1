// expect: true
extern void reach_error(void);
struct link { struct link *next; };
struct item { int value; struct link link; };
int main(void) {
    struct item a = { 7, { 0 } }, b = { 8, { &a.link } };
    struct link *l = b.link.next;
    struct item *i = (struct item *)((char *)l - (unsigned long)&((struct item *)0)->link);
    if (i->value != 7) reach_error();
    return 0;
}
