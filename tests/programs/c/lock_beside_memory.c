// expect: true
// The lock depends on no memory, of which there is much.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct device { int state, kind, level; struct device *next; };
static int locked;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }
static int probe(struct device *d, int request) {
    lock();
    if (request > d->level) {
        d->state = d->kind * request;
        unlock();
        return -1;
    }
    for (struct device *p = d; p; p = p->next) {
        p->level = p->level * 3 % 1000;
        if (p->state == request) p->kind = p->level;
    }
    unlock();
    return 0;
}
int main(void) {
    struct device *all = 0;
    while (__VERIFIER_nondet_int()) {
        struct device *d = malloc(sizeof *d);
        d->state = d->kind = d->level = 0;
        d->next = all;
        all = d;
    }
    while (all && __VERIFIER_nondet_int()) {
        int request = __VERIFIER_nondet_int() % 100;
        if (probe(all, request) < 0) all = all->next;
    }
    return 0;
}
