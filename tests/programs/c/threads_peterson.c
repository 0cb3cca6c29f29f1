// expect: true
// Peterson's algorithm keeps two threads apart.
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int flag1, flag2, turn, inside;
void *one(void *arg) {
    flag1 = 1;
    turn = 1;
    while (flag2 == 1 && turn == 1) ;
    inside = 1;
    if (inside != 1) reach_error();
    flag1 = 0;
    return 0;
}
void *two(void *arg) {
    flag2 = 1;
    turn = 0;
    while (flag1 == 1 && turn == 0) ;
    inside = 2;
    if (inside != 2) reach_error();
    flag2 = 0;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    return 0;
}
