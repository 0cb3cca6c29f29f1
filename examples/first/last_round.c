// expect: true
// property: valid-memsafety
// args: --entry sum
// The block is freed in the last round of the loop, so every access is valid and nothing is lost.
extern void *malloc(unsigned long);
extern void free(void *);

int sum(int i) {
    int j = 0;
    if (i > 0) {
        int *p = malloc(sizeof(int));
        *p = 0;
        while (i > 0) {
            *p += i;
            if (i == 1) {
                j = *p;
                free(p);
            }
            i--;
        }
    }
    return j;
}
