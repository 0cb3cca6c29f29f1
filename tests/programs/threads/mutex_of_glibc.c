// expect: true
// property: no-data-race
// data-model: LP64
// A preprocessed program has the types of glibc: its mutexes have members that are pointers.
typedef unsigned long pthread_t;
typedef union { char __size[56]; long __align; } pthread_attr_t;
struct __pthread_internal_list { struct __pthread_internal_list *__prev, *__next; };
struct __pthread_mutex_s {
  int __lock;
  unsigned __count;
  int __owner;
  unsigned __nusers;
  int __kind;
  short __spins, __elision;
  struct __pthread_internal_list __list;
};
typedef union { struct __pthread_mutex_s __data; char __size[40]; long __align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t lock = {{0, 0, 0, 0, 0, 0, 0, {((void *)0), ((void *)0)}}};
int x;
void *work(void *unused) {
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  pthread_join(id, 0);
  return 0;
}
