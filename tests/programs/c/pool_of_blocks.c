// expect: true
// Few states, though inputs decide about every step: an index that is chosen by `?:` is one of two.
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct block { struct block *next; int used; };
static struct block pool[3];
static struct block *free_list;
int main(void) {
    struct block *held[2] = {NULL, NULL};
    for (int i = 0; i < 3; i++) { pool[i].next = free_list; free_list = &pool[i]; }
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int() ? 1 : 0;
        if (held[i]) {
            if (!held[i]->used) reach_error();
            held[i]->used = 0; held[i]->next = free_list; free_list = held[i]; held[i] = NULL;
        } else {
            struct block *b = free_list;
            if (!b || b->used) reach_error();
            free_list = b->next; b->used = 1; held[i] = b;
        }
    }
    return 0;
}
