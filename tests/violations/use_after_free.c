// property: valid-memsafety
#include <stdlib.h>

int main(void) {
  int *numbers = malloc(4 * sizeof(int));
  if (!numbers) return 1;
  *numbers = 5;
  free(numbers);
  return numbers[2];
}
