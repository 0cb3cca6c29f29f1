// Library functions in C: a program gets those that it mentions and does not define.
//
// Written plainly, so that memory safety is checked inside them like in any other code. Results that the standard
// leaves open (the order of equal elements) are any that it allows; of comparisons the caller sees only the sign. A line with four slashes begins a function: its name, and after a colon the ones it needs.

//// __craig_any_int:
int __craig_any_int(void);

//// __craig_any_long:
long __craig_any_long(void);

//// __craig_unknown_int:
int __craig_unknown_int(void);

//// __craig_unknown_long:
long __craig_unknown_long(void);

//// __craig_unknown_double:
// What is not computed exactly.
double __craig_unknown_double(void);

//// __craig_next_byte:
// The next byte of a stream, or -1 at its end.
int __craig_next_byte(void);

//// __craig_use_stream:
// The stream must be open.
void __craig_use_stream(void *);

//// __craig_forget_errno:
// errno may be anything, in programs that look at it.
void __craig_forget_errno(void);

//// __craig_disjoint:
// So many bytes at both places must not overlap.
void __craig_disjoint(void *, const void *, __SIZE_TYPE__);

//// __errno_location:
static _Thread_local int __craig_errno;
int *__errno_location(void) { return &__craig_errno; }

//// toupper:
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

//// tolower:
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

//// strlen:
__SIZE_TYPE__ strlen(const char *s) {
  __SIZE_TYPE__ n = 0;
  while (s[n]) n++;
  return n;
}

//// strnlen:
__SIZE_TYPE__ strnlen(const char *s, __SIZE_TYPE__ m) {
  __SIZE_TYPE__ n = 0;
  while (n < m && s[n]) n++;
  return n;
}

//// strcpy: __craig_disjoint
char *strcpy(char *d, const char *s) {
  __SIZE_TYPE__ i = 0;
  while (s[i]) { d[i] = s[i]; i++; }
  d[i] = 0;
  __craig_disjoint(d, s, i + 1);
  return d;
}

//// stpcpy: __craig_disjoint
char *stpcpy(char *d, const char *s) {
  __SIZE_TYPE__ i = 0;
  while (s[i]) { d[i] = s[i]; i++; }
  d[i] = 0;
  __craig_disjoint(d, s, i + 1);
  return d + i;
}

//// strncpy: __craig_disjoint
char *strncpy(char *d, const char *s, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  while (i < n && s[i]) { d[i] = s[i]; i++; }
  __craig_disjoint(d, s, i < n ? i + 1 : i);
  while (i < n) { d[i] = 0; i++; }
  return d;
}

//// strcat: __craig_disjoint
char *strcat(char *d, const char *s) {
  __SIZE_TYPE__ n = 0, i = 0;
  while (d[n]) n++;
  while (s[i]) { d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  __craig_disjoint(d + n, s, i + 1);
  return d;
}

//// strncat: __craig_disjoint
char *strncat(char *d, const char *s, __SIZE_TYPE__ m) {
  __SIZE_TYPE__ n = 0, i = 0;
  while (d[n]) n++;
  while (i < m && s[i]) { d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  __craig_disjoint(d + n, s, i < m ? i + 1 : i);
  return d;
}

//// strcmp:
int strcmp(const char *a, const char *b) {
  __SIZE_TYPE__ i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

//// strcoll: strcmp
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

//// strncmp:
int strncmp(const char *a, const char *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

//// strcasecmp: tolower
int strcasecmp(const char *a, const char *b) {
  __SIZE_TYPE__ i = 0;
  while (a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
  return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}

//// strncasecmp: tolower
int strncasecmp(const char *a, const char *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
  return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}

//// strchr:
char *strchr(const char *s, int c) {
  while (*s != (char)c) {
    if (!*s) return (char *)0;
    s++;
  }
  return (char *)s;
}

//// strrchr:
char *strrchr(const char *s, int c) {
  const char *r = 0;
  do {
    if (*s == (char)c) r = s;
  } while (*s++);
  return (char *)r;
}

//// strspn:
__SIZE_TYPE__ strspn(const char *s, const char *set) {
  __SIZE_TYPE__ n = 0;
  while (s[n]) {
    const char *p = set;
    while (*p && *p != s[n]) p++;
    if (!*p) break;
    n++;
  }
  return n;
}

//// strcspn:
__SIZE_TYPE__ strcspn(const char *s, const char *set) {
  __SIZE_TYPE__ n = 0;
  while (s[n]) {
    const char *p = set;
    while (*p && *p != s[n]) p++;
    if (*p) break;
    n++;
  }
  return n;
}

//// strpbrk: strcspn
char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : (char *)0;
}

//// strstr:
char *strstr(const char *s, const char *part) {
  for (;; s++) {
    __SIZE_TYPE__ i = 0;
    while (part[i] && s[i] == part[i]) i++;
    if (!part[i]) return (char *)s;
    if (!*s) return (char *)0;
  }
}

//// strtok_r: strspn, strcspn
char *strtok_r(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  s += strspn(s, set);
  if (!*s) {
    *rest = s;
    return (char *)0;
  }
  char *end = s + strcspn(s, set);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}

//// strtok: strspn, strcspn
static char *__craig_strtok_rest;
char *strtok(char *s, const char *set) {
  if (!s) s = __craig_strtok_rest;
  s += strspn(s, set);
  if (!*s) {
    __craig_strtok_rest = s;
    return (char *)0;
  }
  char *end = s + strcspn(s, set);
  if (*end) *end++ = 0;
  __craig_strtok_rest = end;
  return s;
}

//// strdup: strlen
void *malloc(__SIZE_TYPE__);
char *strdup(const char *s) {
  __SIZE_TYPE__ n = strlen(s), i;
  char *d = malloc(n + 1);
  if (!d) return d;
  for (i = 0; i <= n; i++) d[i] = s[i];
  return d;
}

//// strndup: strnlen
void *malloc(__SIZE_TYPE__);
char *strndup(const char *s, __SIZE_TYPE__ m) {
  __SIZE_TYPE__ n = strnlen(s, m), i;
  char *d = malloc(n + 1);
  if (!d) return d;
  for (i = 0; i < n; i++) d[i] = s[i];
  d[n] = 0;
  return d;
}

//// memcmp:
int memcmp(const void *a, const void *b, __SIZE_TYPE__ n) {
  const unsigned char *x = a, *y = b;
  unsigned char last;
  __SIZE_TYPE__ i;
  // All of both must be there, wherever they differ.
  if (n > 0) { last = x[n - 1]; last = y[n - 1]; }
  for (i = 0; i < n; i++)
    if (x[i] != y[i]) return (int)x[i] - (int)y[i];
  return 0;
}

//// memchr:
void *memchr(const void *s, int c, __SIZE_TYPE__ n) {
  const unsigned char *p = s;
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return (void *)0;
}

//// memrchr:
void *memrchr(const void *s, int c, __SIZE_TYPE__ n) {
  const unsigned char *p = s;
  for (; n > 0; n--)
    if (p[n - 1] == (unsigned char)c) return (void *)(p + n - 1);
  return (void *)0;
}

//// rawmemchr:
void *rawmemchr(const void *s, int c) {
  const unsigned char *p = s;
  while (*p != (unsigned char)c) p++;
  return (void *)p;
}

//// strlcpy:
__SIZE_TYPE__ strlcpy(char *d, const char *s, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ i;
  for (i = 0; s[i]; i++)
    if (i + 1 < size) d[i] = s[i];
  if (size > 0) d[i < size ? i : size - 1] = 0;
  return i;
}

//// strlcat:
__SIZE_TYPE__ strlcat(char *d, const char *s, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ n = 0, i;
  while (n < size && d[n]) n++;
  for (i = 0; s[i]; i++)
    if (n + i + 1 < size) d[n + i] = s[i];
  if (n < size) d[n + i < size ? n + i : size - 1] = 0;
  return n + i;
}

//// wcslen:
__SIZE_TYPE__ wcslen(const __WCHAR_TYPE__ *s) {
  __SIZE_TYPE__ n = 0;
  while (s[n]) n++;
  return n;
}

//// wcsnlen:
__SIZE_TYPE__ wcsnlen(const __WCHAR_TYPE__ *s, __SIZE_TYPE__ m) {
  __SIZE_TYPE__ n = 0;
  while (n < m && s[n]) n++;
  return n;
}

//// wcscpy: __craig_disjoint
__WCHAR_TYPE__ *wcscpy(__WCHAR_TYPE__ *d, const __WCHAR_TYPE__ *s) {
  __SIZE_TYPE__ i = 0;
  while (s[i]) { d[i] = s[i]; i++; }
  d[i] = 0;
  __craig_disjoint(d, s, (i + 1) * sizeof *s);
  return d;
}

//// wcsncpy: __craig_disjoint
__WCHAR_TYPE__ *wcsncpy(__WCHAR_TYPE__ *d, const __WCHAR_TYPE__ *s, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  while (i < n && s[i]) { d[i] = s[i]; i++; }
  __craig_disjoint(d, s, (i < n ? i + 1 : i) * sizeof *s);
  while (i < n) { d[i] = 0; i++; }
  return d;
}

//// wcscat: __craig_disjoint
__WCHAR_TYPE__ *wcscat(__WCHAR_TYPE__ *d, const __WCHAR_TYPE__ *s) {
  __SIZE_TYPE__ n = 0, i = 0;
  while (d[n]) n++;
  while (s[i]) { d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  __craig_disjoint(d + n, s, (i + 1) * sizeof *s);
  return d;
}

//// wcsncat: __craig_disjoint
__WCHAR_TYPE__ *wcsncat(__WCHAR_TYPE__ *d, const __WCHAR_TYPE__ *s, __SIZE_TYPE__ m) {
  __SIZE_TYPE__ n = 0, i = 0;
  while (d[n]) n++;
  while (i < m && s[i]) { d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  __craig_disjoint(d + n, s, (i < m ? i + 1 : i) * sizeof *s);
  return d;
}

//// wcscmp:
int wcscmp(const __WCHAR_TYPE__ *a, const __WCHAR_TYPE__ *b) {
  __SIZE_TYPE__ i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return a[i] < b[i] ? -1 : a[i] > b[i];
}

//// wcsncmp:
int wcsncmp(const __WCHAR_TYPE__ *a, const __WCHAR_TYPE__ *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && a[i] == b[i]) i++;
  return a[i] < b[i] ? -1 : a[i] > b[i];
}

//// wcschr:
__WCHAR_TYPE__ *wcschr(const __WCHAR_TYPE__ *s, __WCHAR_TYPE__ c) {
  while (*s != c) {
    if (!*s) return (__WCHAR_TYPE__ *)0;
    s++;
  }
  return (__WCHAR_TYPE__ *)s;
}

//// wcsrchr:
__WCHAR_TYPE__ *wcsrchr(const __WCHAR_TYPE__ *s, __WCHAR_TYPE__ c) {
  const __WCHAR_TYPE__ *r = 0;
  do {
    if (*s == c) r = s;
  } while (*s++);
  return (__WCHAR_TYPE__ *)r;
}

//// wcsstr:
__WCHAR_TYPE__ *wcsstr(const __WCHAR_TYPE__ *s, const __WCHAR_TYPE__ *part) {
  for (;; s++) {
    __SIZE_TYPE__ i = 0;
    while (part[i] && s[i] == part[i]) i++;
    if (!part[i]) return (__WCHAR_TYPE__ *)s;
    if (!*s) return (__WCHAR_TYPE__ *)0;
  }
}

//// wmemset:
__WCHAR_TYPE__ *wmemset(__WCHAR_TYPE__ *d, __WCHAR_TYPE__ c, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++) d[i] = c;
  return d;
}

//// wmemcpy: __craig_disjoint
__WCHAR_TYPE__ *wmemcpy(__WCHAR_TYPE__ *d, const __WCHAR_TYPE__ *s, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  __craig_disjoint(d, s, n * sizeof *s);
  for (i = 0; i < n; i++) d[i] = s[i];
  return d;
}

//// wmemcmp:
int wmemcmp(const __WCHAR_TYPE__ *a, const __WCHAR_TYPE__ *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

//// wmemchr:
__WCHAR_TYPE__ *wmemchr(const __WCHAR_TYPE__ *s, __WCHAR_TYPE__ c, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++)
    if (s[i] == c) return (__WCHAR_TYPE__ *)(s + i);
  return (__WCHAR_TYPE__ *)0;
}

//// htons:
unsigned short htons(unsigned short x) { return x << 8 | x >> 8; }

//// ntohs:
unsigned short ntohs(unsigned short x) { return x << 8 | x >> 8; }

//// htonl:
unsigned htonl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

//// ntohl:
unsigned ntohl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

//// __CPROVER_isnanf:
int __CPROVER_isnanf(float x) { return x != x; }

//// __CPROVER_isinff:
int __CPROVER_isinff(float x) { return __builtin_isinf(x) != 0; }

//// __CPROVER_isfinitef:
int __CPROVER_isfinitef(float x) { return __builtin_isfinite(x) != 0; }

//// __CPROVER_isnormalf:
int __CPROVER_isnormalf(float x) { return __builtin_isnormal(x) != 0; }

//// __CPROVER_signf:
int __CPROVER_signf(float x) { return __builtin_signbit(x) != 0; }

//// __CPROVER_isnand:
int __CPROVER_isnand(double x) { return x != x; }

//// __CPROVER_isinfd:
int __CPROVER_isinfd(double x) { return __builtin_isinf(x) != 0; }

//// __CPROVER_isfinited:
int __CPROVER_isfinited(double x) { return __builtin_isfinite(x) != 0; }

//// __CPROVER_isnormald:
int __CPROVER_isnormald(double x) { return __builtin_isnormal(x) != 0; }

//// __CPROVER_signd:
int __CPROVER_signd(double x) { return __builtin_signbit(x) != 0; }

//// __CPROVER_isnanld:
int __CPROVER_isnanld(long double x) { return x != x; }

//// __CPROVER_isinfld:
int __CPROVER_isinfld(long double x) { return __builtin_isinf(x) != 0; }

//// __CPROVER_isfiniteld:
int __CPROVER_isfiniteld(long double x) { return __builtin_isfinite(x) != 0; }

//// __CPROVER_isnormalld:
int __CPROVER_isnormalld(long double x) { return __builtin_isnormal(x) != 0; }

//// __CPROVER_signld:
int __CPROVER_signld(long double x) { return __builtin_signbit(x) != 0; }

//// __CPROVER_fabs:
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }

//// __CPROVER_fabsf:
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }

//// __CPROVER_fabsl:
long double __CPROVER_fabsl(long double x) { return __builtin_fabsl(x); }

//// posix_memalign:
void *malloc(__SIZE_TYPE__);
int posix_memalign(void **p, __SIZE_TYPE__ alignment, __SIZE_TYPE__ n) {
  if (alignment % sizeof(void *) || alignment == 0 || (alignment & (alignment - 1))) return 22;
  void *block = malloc(n);
  if (!block) return 12;
  *p = block;
  return 0;
}

//// ffs:
int ffs(int x) {
  unsigned rest = (unsigned)x;
  int n = 1;
  if (!x) return 0;
  for (; rest % 2 == 0; rest /= 2) n++;
  return n;
}

//// __craig_put_char:
// The pieces of sprintf: each is put at a place if there is room for it, and tells where the next one goes.
__SIZE_TYPE__ __craig_put_char(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, int c) {
  if (at + 1 < limit) d[at] = (char)c;
  return at + 1;
}

//// __craig_put_text: __craig_put_char
__SIZE_TYPE__ __craig_put_text(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, char *s) {
  for (; *s; s++) at = __craig_put_char(d, limit, at, *s);
  return at;
}

//// __craig_put_unsigned: __craig_put_char
__SIZE_TYPE__ __craig_put_unsigned(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, unsigned long long value, int base,
                                   int ten) {
  int digits[22], n = 0;
  do {
    digits[n++] = (int)(value % (unsigned long long)base);
    value /= (unsigned long long)base;
  } while (value);
  while (n > 0) {
    n--;
    at = __craig_put_char(d, limit, at, digits[n] < 10 ? '0' + digits[n] : ten + digits[n] - 10);
  }
  return at;
}

//// __craig_put_signed: __craig_put_char, __craig_put_unsigned
__SIZE_TYPE__ __craig_put_signed(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, long long value) {
  if (value >= 0) return __craig_put_unsigned(d, limit, at, (unsigned long long)value, 10, 'a');
  at = __craig_put_char(d, limit, at, '-');
  return __craig_put_unsigned(d, limit, at, -(unsigned long long)value, 10, 'a');
}

//// __craig_pad: __craig_put_char
static __SIZE_TYPE__ __craig_pad(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, int c, int n) {
  for (; n > 0; n--) at = __craig_put_char(d, limit, at, c);
  return at;
}

//// __craig_set_number: __craig_pad
// Flags: 1 left, 2 zeros, 4 alternative form, 8 plus, 16 blank. A negative width is to the left, a negative precision none.
static __SIZE_TYPE__ __craig_set_number(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, unsigned long long value, int sign,
                                        int base, int ten, int flags, int width, int precision) {
  int digits[22], n = 0, zeros = 0, prefix = (flags & 4) && base == 16 && value, pad;
  if (width < 0) { flags |= 1; width = -width; }
  for (; value; value /= (unsigned long long)base) digits[n++] = (int)(value % (unsigned long long)base);
  if (precision < 0 && n == 0) digits[n++] = 0;
  if (precision > n) zeros = precision - n;
  if ((flags & 4) && base == 8 && zeros == 0 && (n == 0 || digits[n - 1] != 0)) zeros = 1;
  pad = width - n - zeros - (sign != 0) - 2 * prefix;
  if (!(flags & 1) && (!(flags & 2) || precision >= 0)) at = __craig_pad(d, limit, at, ' ', pad);
  if (sign) at = __craig_put_char(d, limit, at, sign);
  if (prefix) {
    at = __craig_put_char(d, limit, at, '0');
    at = __craig_put_char(d, limit, at, ten + 'x' - 'a');
  }
  if (!(flags & 1) && (flags & 2) && precision < 0) at = __craig_pad(d, limit, at, '0', pad);
  at = __craig_pad(d, limit, at, '0', zeros);
  while (n > 0) {
    n--;
    at = __craig_put_char(d, limit, at, digits[n] < 10 ? '0' + digits[n] : ten + digits[n] - 10);
  }
  return flags & 1 ? __craig_pad(d, limit, at, ' ', pad) : at;
}

//// __craig_set_unsigned: __craig_set_number
__SIZE_TYPE__ __craig_set_unsigned(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, unsigned long long value, int base,
                                   int ten, int flags, int width, int precision) {
  return __craig_set_number(d, limit, at, value, 0, base, ten, flags, width, precision);
}

//// __craig_set_signed: __craig_set_number
__SIZE_TYPE__ __craig_set_signed(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, long long value, int flags, int width,
                                 int precision) {
  int sign = value < 0 ? '-' : flags & 8 ? '+' : flags & 16 ? ' ' : 0;
  unsigned long long size = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
  return __craig_set_number(d, limit, at, size, sign, 10, 'a', flags, width, precision);
}

//// __craig_set_text: __craig_pad
__SIZE_TYPE__ __craig_set_text(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, char *s, int flags, int width,
                               int precision) {
  int n = 0, i;
  if (width < 0) { flags |= 1; width = -width; }
  while ((precision < 0 || n < precision) && s[n]) n++;
  if (!(flags & 1)) at = __craig_pad(d, limit, at, ' ', width - n);
  for (i = 0; i < n; i++) at = __craig_put_char(d, limit, at, s[i]);
  return flags & 1 ? __craig_pad(d, limit, at, ' ', width - n) : at;
}

//// __craig_set_char: __craig_pad
__SIZE_TYPE__ __craig_set_char(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at, int c, int flags, int width,
                               int precision) {
  if (width < 0) { flags |= 1; width = -width; }
  if (!(flags & 1)) at = __craig_pad(d, limit, at, ' ', width - 1);
  at = __craig_put_char(d, limit, at, c);
  return flags & 1 ? __craig_pad(d, limit, at, ' ', width - 1) : at;
}

//// __craig_put_end:
int __craig_put_end(char *d, __SIZE_TYPE__ limit, __SIZE_TYPE__ at) {
  if (limit) d[at < limit ? at : limit - 1] = 0;
  return (int)at;
}

//// sprintf: __craig_put_char, __craig_put_text, __craig_put_unsigned, __craig_put_signed, __craig_set_unsigned, __craig_set_signed, __craig_set_text, __craig_set_char, __craig_put_end

//// snprintf: __craig_put_char, __craig_put_text, __craig_put_unsigned, __craig_put_signed, __craig_set_unsigned, __craig_set_signed, __craig_set_text, __craig_set_char, __craig_put_end

//// __craig_digit:
static int __craig_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

//// __craig_number_start: __craig_digit
// Passes blanks, the sign and the prefix of the base.
static const char *__craig_number_start(const char *s, int *negative, int *base) {
  while (*s == ' ' || *s >= 9 && *s <= 13) s++;
  *negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  if ((*base == 0 || *base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __craig_digit(s[2]) < 16) {
    *base = 16;
    return s + 2;
  }
  if (*base == 0) *base = *s == '0' ? 8 : 10;
  return s;
}

//// __craig_magnitude: __craig_digit
// The digits from `*p` on, which stays behind the last one; more than `limit` sets `*too_large`.
static unsigned long long __craig_magnitude(const char **p, int base, unsigned long long limit, int *too_large) {
  unsigned long long value = 0;
  *too_large = 0;
  for (; __craig_digit(**p) < base; (*p)++) {
    unsigned d = __craig_digit(**p);
    if (value > (limit - d) / base) *too_large = 1; else value = value * base + d;
  }
  return value;
}

//// __craig_unsigned: __craig_number_start, __craig_magnitude, __errno_location
static unsigned long long __craig_unsigned(const char *s, char **end, int base, unsigned long long max) {
  int negative, too_large;
  if (base < 0 || base == 1 || base > 36) { *__errno_location() = 22; return 0; }
  const char *first = __craig_number_start(s, &negative, &base), *p = first;
  unsigned long long value = __craig_magnitude(&p, base, max, &too_large);
  if (end) *end = (char *)(p == first ? s : p);
  if (too_large) { *__errno_location() = 34; return max; }
  return negative ? -value : value;
}

//// __craig_signed: __craig_number_start, __craig_magnitude, __errno_location
static long long __craig_signed(const char *s, char **end, int base, unsigned long long max) {
  int negative, too_large;
  if (base < 0 || base == 1 || base > 36) { *__errno_location() = 22; return 0; }
  const char *first = __craig_number_start(s, &negative, &base), *p = first;
  unsigned long long value = __craig_magnitude(&p, base, negative ? max + 1 : max, &too_large);
  if (end) *end = (char *)(p == first ? s : p);
  if (too_large) { *__errno_location() = 34; value = negative ? max + 1 : max; }
  return !negative ? (long long)value : value > max ? -(long long)max - 1 : -(long long)value;
}

//// strtoull: __craig_unsigned
unsigned long long strtoull(const char *s, char **end, int base) { return __craig_unsigned(s, end, base, ~0ULL); }

//// strtoumax: __craig_unsigned
__UINTMAX_TYPE__ strtoumax(const char *s, char **end, int base) { return __craig_unsigned(s, end, base, ~0ULL); }

//// strtoul: __craig_unsigned
unsigned long strtoul(const char *s, char **end, int base) {
  return (unsigned long)__craig_unsigned(s, end, base, ~0UL);
}

//// strtoll: __craig_signed
long long strtoll(const char *s, char **end, int base) { return __craig_signed(s, end, base, ~0ULL >> 1); }

//// strtoimax: __craig_signed
__INTMAX_TYPE__ strtoimax(const char *s, char **end, int base) { return __craig_signed(s, end, base, ~0ULL >> 1); }

//// strtol: __craig_signed
long strtol(const char *s, char **end, int base) { return (long)__craig_signed(s, end, base, ~0UL >> 1); }

//// atol: strtol
long atol(const char *s) { return strtol(s, (char **)0, 10); }

//// atoll: strtoll
long long atoll(const char *s) { return strtoll(s, (char **)0, 10); }

//// atoi: strtol
// As in glibc, by way of long.
int atoi(const char *s) { return (int)strtol(s, (char **)0, 10); }

//// fmod: __craig_forget_errno
// Every step is exact: what is subtracted is at least half of what is left.
double fmod(double x, double y) {
  double r = x < 0 ? -x : x, b = y < 0 ? -y : y, t;
  if (x != x || y != y || b == 0 || r - r != 0) {
    __craig_forget_errno();
    return (x * y) / (x * y);
  }
  while (r >= b) {
    for (t = b; r - t >= t;) t += t;
    r -= t;
  }
  return r == (x < 0 ? -x : x) ? x : x < 0 ? -r : r;
}

//// fmodf: fmod
float fmodf(float x, float y) { return (float)fmod(x, y); }

//// strtod: __craig_unknown_double, __craig_unknown_int, __craig_forget_errno
// Exact where the digits and the power of ten are exact as doubles (Clinger, PLDI 1990): one rounding then. Otherwise any number.
double strtod(const char *s, char **end) {
  const char *p = s, *q;
  double value, power = 1;
  unsigned long long digits = 0;
  int negative, n = 0, exponent = 0, large = 0, e = 0, minus;
  while (*p == ' ' || *p >= 9 && *p <= 13) p++;
  negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if ((*p == 'i' || *p == 'I' || *p == 'n' || *p == 'N') || p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    // Infinities, NaNs and hexadecimal numbers: somewhere in the text.
    if (end) {
      *end = (char *)s;
      while (**end && __craig_unknown_int()) (*end)++;
    }
    __craig_forget_errno();
    return __craig_unknown_double();
  }
  for (; *p >= '0' && *p <= '9'; p++, n++)
    if (digits < 900719925474099ULL) digits = digits * 10 + (*p - '0'); else { exponent++; large |= *p != '0'; }
  if (*p == '.') {
    p++;
    for (; *p >= '0' && *p <= '9'; p++, n++)
      if (digits < 900719925474099ULL) { digits = digits * 10 + (*p - '0'); exponent--; } else large |= *p != '0';
  }
  if (n == 0) {
    if (end) *end = (char *)s;
    return 0;
  }
  if (*p == 'e' || *p == 'E') {
    q = p + 1;
    minus = *q == '-';
    if (*q == '-' || *q == '+') q++;
    if (*q >= '0' && *q <= '9') {
      for (; *q >= '0' && *q <= '9'; q++)
        if (e < 100000) e = e * 10 + (*q - '0');
      exponent += minus ? -e : e;
      p = q;
    }
  }
  if (end) *end = (char *)p;
  if (digits == 0 && !large) return negative ? -0.0 : 0.0;
  if (large || exponent > 22 || exponent < -22) {
    __craig_forget_errno();
    return __craig_unknown_double();
  }
  for (e = exponent < 0 ? -exponent : exponent; e > 0; e--) power *= 10;
  value = exponent < 0 ? (double)digits / power : (double)digits * power;
  return negative ? -value : value;
}

//// atof: strtod
double atof(const char *s) { return strtod(s, (char **)0); }

//// __craig_scan_begin: __craig_digit
// The pieces of sscanf (a lone 0x is a zero, as for glibc). Reading goes on (0), was stopped by a character that does not fit (1) or by the end of the text (2).
static const char *__craig_scan_text, *__craig_scan_at;
static int __craig_scan_state, __craig_scan_n;
static unsigned long long __craig_scan_read;
int __craig_scan_begin(char *s) {
  __craig_scan_text = __craig_scan_at = s;
  __craig_scan_state = __craig_scan_n = 0;
  return 0;
}
int __craig_scan_blanks(void) {
  if (!__craig_scan_state)
    while (*__craig_scan_at == ' ' || *__craig_scan_at >= 9 && *__craig_scan_at <= 13) __craig_scan_at++;
  return 0;
}
int __craig_scan_literal(int c) {
  if (__craig_scan_state) return 0;
  if (*__craig_scan_at == (char)c) __craig_scan_at++; else __craig_scan_state = *__craig_scan_at ? 1 : 2;
  return 0;
}
int __craig_scan_number(int base, int width, unsigned long long max, int is_signed) {
  int negative, d, n = 0, too_large = 0;
  unsigned long long value = 0, limit;
  __craig_scan_blanks();
  if (__craig_scan_state) return 0;
  if (!*__craig_scan_at) { __craig_scan_state = 2; return 0; }
  negative = *__craig_scan_at == '-';
  if (width > 0 && (*__craig_scan_at == '-' || *__craig_scan_at == '+')) { __craig_scan_at++; width--; }
  if (width > 0 && *__craig_scan_at == '0' && (base == 0 || base == 16)) {
    __craig_scan_at++; width--; n++;
    if (width > 0 && (*__craig_scan_at == 'x' || *__craig_scan_at == 'X')) {
      __craig_scan_at++; width--; base = 16;
    } else if (base == 0) base = 8;
  }
  if (base == 0) base = 10;
  limit = is_signed ? (negative ? max + 1 : max) : max;
  for (; width > 0 && (d = __craig_digit(*__craig_scan_at)) < base; width--, n++, __craig_scan_at++)
    if (value > (limit - d) / base) too_large = 1; else value = value * base + d;
  if (n == 0) { __craig_scan_state = 1; return 0; }
  if (too_large) value = limit;
  __craig_scan_read = negative && !(too_large && !is_signed) ? -value : value;
  return 1;
}
int __craig_scan_char(void) {
  if (__craig_scan_state) return 0;
  if (!*__craig_scan_at) { __craig_scan_state = 2; return 0; }
  __craig_scan_read = (unsigned char)*__craig_scan_at++;
  return 1;
}
int __craig_scan_word(char *d, int width) {
  __craig_scan_blanks();
  if (__craig_scan_state) return 0;
  if (!*__craig_scan_at) { __craig_scan_state = 2; return 0; }
  for (; width > 0 && *__craig_scan_at && *__craig_scan_at != ' ' && !(*__craig_scan_at >= 9 && *__craig_scan_at <= 13); width--)
    *d++ = *__craig_scan_at++;
  *d = 0;
  return 1;
}
int __craig_scan_consumed(void) {
  __craig_scan_read = (unsigned long long)(__craig_scan_at - __craig_scan_text);
  return !__craig_scan_state;
}
unsigned long long __craig_scan_value(void) { return __craig_scan_read; }
int __craig_scan_count(void) { __craig_scan_n++; return 1; }
int __craig_scan_end(void) { return __craig_scan_state == 2 && __craig_scan_n == 0 ? -1 : __craig_scan_n; }

//// sscanf: __craig_scan_begin

//// __isoc99_sscanf: __craig_scan_begin

//// atexit: __craig_unknown_int
// How many are possible is open.
static void (*__craig_exit_handler[65536])(void);
static int __craig_n_exit_handlers;
int atexit(void (*f)(void)) {
  if (__craig_n_exit_handlers >= 65536) return __craig_unknown_int() | 1;
  __craig_exit_handler[__craig_n_exit_handlers] = f;
  __craig_n_exit_handlers++;
  return 0;
}
void __craig_run_exit_handlers(void) {
  while (__craig_n_exit_handlers > 0) {
    __craig_n_exit_handlers--;
    __craig_exit_handler[__craig_n_exit_handlers]();
  }
}

//// qsort: __craig_any_int, __craig_any_long
// Any order of equal elements. Which elements are compared is open: one more pair.
void qsort(void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size, int (*compare)(const void *, const void *)) {
  unsigned char *first = base;
  __SIZE_TYPE__ i, j, k;
  if (n > 1 && __craig_any_int()) {
    i = (__SIZE_TYPE__)__craig_any_long();
    j = (__SIZE_TYPE__)__craig_any_long();
    if (i < n && j < n && i != j) compare(first + i * size, first + j * size);
  }
  for (i = 1; i < n; i++)
    for (j = i; j > 0; j--) {
      unsigned char *left = first + (j - 1) * size, *right = first + j * size;
      int order = compare(left, right);
      if (order < 0 || order == 0 && __craig_any_int()) break;
      for (k = 0; k < size; k++) {
        unsigned char byte = left[k];
        left[k] = right[k];
        right[k] = byte;
      }
    }
}

//// bsearch: __craig_any_int, __craig_any_long, __craig_unknown_int
// As libraries do it. Others may compare any element, and find any that is equal.
void *bsearch(const void *key, const void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size,
              int (*compare)(const void *, const void *)) {
  const unsigned char *first = base, *found = 0;
  __SIZE_TYPE__ low = 0, high = n, i;
  while (low < high) {
    int order;
    i = (low + high) / 2;
    order = compare(key, first + i * size);
    if (order == 0) {
      found = first + i * size;
      break;
    }
    if (order < 0)
      high = i;
    else
      low = i + 1;
  }
  if (n > 0 && __craig_any_int() && __craig_unknown_int()) {
    i = (__SIZE_TYPE__)__craig_any_long();
    if (i < n && compare(key, first + i * size) == 0) found = first + i * size;
  }
  return (void *)found;
}

//// time: __craig_any_long, __craig_unknown_long
// Until 2038, or no time at all; clocks that show more are not modelled.
long time(long *t) {
  long now = __craig_any_long();
  if (now < -1 || now > 0x7fffffff) now = __craig_unknown_long();
  if (t) *t = now;
  return now;
}

//// fgets: __craig_next_byte, __craig_use_stream, __craig_any_int, __craig_forget_errno
// An error may come after some bytes.
char *fgets(char *s, int n, void *stream) {
  int i = 0;
  __craig_use_stream(stream);
  if (n <= 0) return (char *)0;
  while (i < n - 1) {
    int c = __craig_next_byte();
    if (c < 0) {
      __craig_forget_errno();
      if (i == 0 || __craig_any_int()) return (char *)0;
      break;
    }
    s[i] = (char)c;
    i++;
    if (c == '\n') break;
  }
  s[i] = 0;
  return s;
}

//// gets: __craig_next_byte, __craig_any_int, __craig_forget_errno
char *gets(char *s) {
  __SIZE_TYPE__ i = 0;
  for (;;) {
    int c = __craig_next_byte();
    if (c < 0) __craig_forget_errno();
    if (c < 0 && (i == 0 || __craig_any_int())) return (char *)0;
    if (c < 0 || c == '\n') break;
    s[i] = (char)c;
    i++;
  }
  s[i] = 0;
  return s;
}

//// isdigit:
int isdigit(int c) { return c >= '0' && c <= '9'; }

//// isxdigit:
int isxdigit(int c) { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'; }

//// islower:
int islower(int c) { return c >= 'a' && c <= 'z'; }

//// isupper:
int isupper(int c) { return c >= 'A' && c <= 'Z'; }

//// isalpha:
int isalpha(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }

//// isalnum:
int isalnum(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'; }

//// isspace:
int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }

//// isblank:
int isblank(int c) { return c == ' ' || c == '\t'; }

//// isprint:
int isprint(int c) { return c >= 32 && c <= 126; }

//// isgraph:
int isgraph(int c) { return c >= 33 && c <= 126; }

//// iscntrl:
int iscntrl(int c) { return c >= 0 && c <= 31 || c == 127; }

//// ispunct:
int ispunct(int c) {
  return c >= 33 && c <= 126 && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9');
}

//// __ctype_b_loc:
// What the macros of glibc's ctype.h look into, at -128 to 255, in the C locale. Only ASCII has classes.
static const unsigned short __craig_classes[384] = {[128] =
  2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
  24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
  55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
  49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
  50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
  49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
  50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2
};
static const unsigned short *__craig_classes_at = __craig_classes + 128;
const unsigned short **__ctype_b_loc(void) { return &__craig_classes_at; }

//// __craig_numbers:
// So many numbers in a row.
#define __CRAIG_4(n) (n), (n) + 1, (n) + 2, (n) + 3
#define __CRAIG_8(n) __CRAIG_4(n), __CRAIG_4((n) + 4)
#define __CRAIG_16(n) __CRAIG_8(n), __CRAIG_8((n) + 8)
#define __CRAIG_32(n) __CRAIG_16(n), __CRAIG_16((n) + 16)
#define __CRAIG_64(n) __CRAIG_32(n), __CRAIG_32((n) + 32)
// At -128 to -1, as unsigned characters but for the end of a file.
#define __CRAIG_BELOW __CRAIG_64(128), __CRAIG_32(192), __CRAIG_16(224), __CRAIG_8(240), __CRAIG_4(248), 252, 253, 254, -1

//// __ctype_toupper_loc: __craig_numbers
static const int __craig_upper[384] = {
  __CRAIG_BELOW, __CRAIG_64(0), __CRAIG_32(64), '`', __CRAIG_16('A'), __CRAIG_8('Q'), 'Y', 'Z',
  __CRAIG_4('{'), 127, __CRAIG_64(128), __CRAIG_64(192)
};
static const int *__craig_upper_at = __craig_upper + 128;
const int **__ctype_toupper_loc(void) { return &__craig_upper_at; }

//// __ctype_tolower_loc: __craig_numbers
static const int __craig_lower[384] = {
  __CRAIG_BELOW, __CRAIG_64(0), '@', __CRAIG_16('a'), __CRAIG_8('q'), 'y', 'z', __CRAIG_4('['), '_',
  __CRAIG_32(96), __CRAIG_64(128), __CRAIG_64(192)
};
static const int *__craig_lower_at = __craig_lower + 128;
const int **__ctype_tolower_loc(void) { return &__craig_lower_at; }

//// abs:
int abs(int x) { return x < 0 ? -x : x; }

//// labs:
long labs(long x) { return x < 0 ? -x : x; }

//// llabs:
long long llabs(long long x) { return x < 0 ? -x : x; }

//// imaxabs:
__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ x) { return x < 0 ? -x : x; }

//// imaxdiv:
__typeof__(imaxdiv(1, 1)) imaxdiv(__INTMAX_TYPE__ a, __INTMAX_TYPE__ b) {
  __typeof__(imaxdiv(1, 1)) r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}

//// div:
__typeof__(div(1, 1)) div(int a, int b) {
  __typeof__(div(1, 1)) r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}

//// ldiv:
__typeof__(ldiv(1, 1)) ldiv(long a, long b) {
  __typeof__(ldiv(1, 1)) r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}

//// lldiv:
__typeof__(lldiv(1, 1)) lldiv(long long a, long long b) {
  __typeof__(lldiv(1, 1)) r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}

//// read: __craig_next_byte, __craig_any_int, __craig_unknown_int, __craig_forget_errno
__PTRDIFF_TYPE__ read(int fd, void *buf, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  char *to = (char *)buf;
  if (__craig_any_int() == 0) {
    __craig_forget_errno();
    return -1;
  }
  while (i < n) {
    int c = fd == 0 ? __craig_next_byte() : __craig_unknown_int();
    if (c < 0) break;
    to[i] = (char)c;
    i++;
  }
  return (__PTRDIFF_TYPE__)i;
}

//// fread: __craig_next_byte, __craig_use_stream, __craig_forget_errno
__SIZE_TYPE__ fread(void *buf, __SIZE_TYPE__ size, __SIZE_TYPE__ n, void *stream) {
  __SIZE_TYPE__ i = 0, total = size * n;
  char *to = (char *)buf;
  __craig_use_stream(stream);
  if (total == 0) return 0;
  while (i < total) {
    int c = __craig_next_byte();
    if (c < 0) {
      __craig_forget_errno();
      break;
    }
    to[i] = (char)c;
    i++;
  }
  return i / size;
}

//// creal:
double creal(double _Complex z) { return __real__ z; }

//// crealf:
float crealf(float _Complex z) { return __real__ z; }

//// creall:
long double creall(long double _Complex z) { return __real__ z; }

//// cimag:
double cimag(double _Complex z) { return __imag__ z; }

//// cimagf:
float cimagf(float _Complex z) { return __imag__ z; }

//// cimagl:
long double cimagl(long double _Complex z) { return __imag__ z; }

//// conj:
double _Complex conj(double _Complex z) { return ~z; }

//// conjf:
float _Complex conjf(float _Complex z) { return ~z; }

//// conjl:
long double _Complex conjl(long double _Complex z) { return ~z; }

//// cabs:
double cabs(double _Complex z) { return __builtin_hypot(__real__ z, __imag__ z); }

//// cabsf:
float cabsf(float _Complex z) { return __builtin_hypotf(__real__ z, __imag__ z); }

//// carg:
double carg(double _Complex z) { return __builtin_atan2(__imag__ z, __real__ z); }

//// cargf:
float cargf(float _Complex z) { return __builtin_atan2f(__imag__ z, __real__ z); }

//// __craig_specific:
// What threads keep by keys: by the number of the thread, then by the key. Linux has 1024 keys.
static void *__craig_specific[8388608];
static unsigned __craig_n_keys;
unsigned long __craig_thread(void);

//// pthread_key_create: __craig_specific, __craig_unknown_int
// Keys that were deleted are not used again, so a failure counts for little.
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  unsigned next = __atomic_fetch_add(&__craig_n_keys, 1u, 5);
  if (next >= 1024) return __craig_unknown_int() | 1;
  *key = next;
  return 0;
}

//// pthread_key_delete:
int pthread_key_delete(unsigned key) { return 0; }

//// pthread_getspecific: __craig_specific
void *pthread_getspecific(unsigned key) { return __craig_specific[__craig_thread() * 1024 + key]; }

//// pthread_setspecific: __craig_specific
int pthread_setspecific(unsigned key, const void *value) {
  __craig_specific[__craig_thread() * 1024 + key] = (void *)value;
  return 0;
}

//// tss_create: __craig_specific
int tss_create(unsigned *key, void (*destructor)(void *)) {
  unsigned next = __atomic_fetch_add(&__craig_n_keys, 1u, 5);
  if (next >= 1024) return 2;
  *key = next;
  return 0;
}

//// tss_delete:
void tss_delete(unsigned key) {}

//// tss_get: __craig_specific
void *tss_get(unsigned key) { return __craig_specific[__craig_thread() * 1024 + key]; }

//// tss_set: __craig_specific
int tss_set(unsigned key, void *value) {
  __craig_specific[__craig_thread() * 1024 + key] = value;
  return 0;
}
