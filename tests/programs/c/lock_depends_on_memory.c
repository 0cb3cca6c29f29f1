// expect: false(unreach-call)
// Whether the lock is given back is decided in memory.
extern void reach_error(void);
struct device { int state, kind; };
static int locked;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }
static void probe(struct device *d) {
    lock();
    if (d->state < 3) {
        d->state++;
        unlock();
    }
}
int main(void) {
    struct device d = {0, 1};
    for (int i = 0; i < 5; i++) probe(&d);
    return 0;
}
