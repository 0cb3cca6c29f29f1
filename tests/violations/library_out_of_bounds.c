// property: valid-memsafety
#include <string.h>

int main(void) {
  char buffer[4];
  strcpy(buffer, "four");
  return buffer[0];
}
