#include <string.h>
#include <stdlib.h>
#include <ctype.h>
static char buf[32];
static const char *names[] = { "alpha", "be", "", "gamma" "delta" };
int main(void) {
  CHK(strlen(names[3])); CHK(sizeof "ab\0c"); CHK(strlen("ab\0c")); CHK(strcmp("abc", "abd") < 0); CHK(strcmp("b", "abc") > 0); CHK(strcmp("", "") == 0); CHK(strcmp("\xff", "a") > 0);
  strcpy(buf, names[0]); strcat(buf, "-"); strncat(buf, "xyz", 2); CHK(strlen(buf)); CHK(buf[6]); CHK(buf[8]);
  CHK(strncmp(buf, "alpine", 3)); CHK(strncmp(buf, "alpine", 4) < 0); CHK(strchr(buf, 'p') - buf); CHK(strrchr(buf, 'a') - buf); CHK(strchr(buf, 'q') == 0); CHK(strchr(buf, 0) - buf);
  char d[8]; memset(d, 'z', 8); strncpy(d, "hi", 5); CHK(d[2]); CHK(d[4]); CHK(d[5]);
  CHK(memcmp("abc", "abd", 2)); CHK(memcmp("abc", "abd", 3) < 0); memmove(buf + 2, buf, 5); CHK(buf[2]); CHK(buf[4]); CHK(buf[6]); 
  CHK((char *)memchr(buf, 'h', 8) - buf); CHK(strstr("hello world", "lo w") - "hello world" != 0 );
  const char *h = "hello world"; CHK(strstr(h, "wor") - h); CHK(strstr(h, "xyz") == 0); CHK(strspn(h, "leh")); CHK(strcspn(h, "ow")); CHK(strpbrk(h, "wr") - h);
  CHK(isdigit('7') != 0); CHK(isalpha('_') != 0); CHK(toupper('q')); CHK(tolower('Q')); CHK(isspace('\t') != 0); CHK(isxdigit('f') != 0); CHK(isxdigit('g') != 0); CHK(ispunct('!') != 0); CHK(isprint(7) != 0); CHK(isalnum('0') != 0); CHK(isupper('a') != 0);
  CHK(atoi("  -12x")); CHK(abs(-5)); CHK(labs(-6L)); 
  char *dup = strdup("copy"); CHK(dup[3]); CHK(strlen(dup)); free(dup);
  int *a = calloc(3, sizeof *a); CHK(a[2]); a[0] = 4; a = realloc(a, 6 * sizeof *a); CHK(a[0]); a[5] = 1; CHK(a[5] + a[1]); free(a);
  CHK(strtol("123abc", 0, 10)); char *e; CHK(strtoul("0x1fz", &e, 16)); CHK(*e);
 
  return 0;
}
