// expect: true
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);
int cell = 5;
void *give(void *arg) {
    *(int *)arg = 7;
    return arg;
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, give, &cell);
    pthread_join(t, &result);
    if (*(int *)result != 7) reach_error();
    return 0;
}
