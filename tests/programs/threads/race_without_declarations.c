// expect: false(no-data-race)
// property: no-data-race
// Functions that are not declared: null pointers are numbers.
typedef unsigned long pthread_t;
int x;
void *writer() {
  x = 1;
  return 0;
}
int main() {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, writer, 0);
  return 0;
}
