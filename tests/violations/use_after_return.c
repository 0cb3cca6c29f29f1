// property: valid-memsafety
int *local(void) {
  int value = 4;
  int *p = &value;
  return p;
}

int main(void) {
  return *local();
}
