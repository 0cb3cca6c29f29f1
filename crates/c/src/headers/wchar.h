#pragma once
#include <craig/wide.h>
#include <craig/locale.h>
#include <stdio.h>
struct tm;
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#define WEOF 4294967295ull
wchar_t *wcscpy(wchar_t *, const wchar_t *); wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t); wchar_t *wcscat(wchar_t *, const wchar_t *);
wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t); int wcscmp(const wchar_t *, const wchar_t *);
int wcsncmp(const wchar_t *, const wchar_t *, size_t); int wcscasecmp(const wchar_t *, const wchar_t *);
int wcsncasecmp(const wchar_t *, const wchar_t *, size_t); int wcscasecmp_l(const wchar_t *, const wchar_t *, locale_t);
int wcsncasecmp_l(const wchar_t *, const wchar_t *, size_t, locale_t); int wcscoll(const wchar_t *, const wchar_t *);
size_t wcsxfrm(wchar_t *, const wchar_t *, size_t); int wcscoll_l(const wchar_t *, const wchar_t *, locale_t);
size_t wcsxfrm_l(wchar_t *, const wchar_t *, size_t, locale_t); wchar_t *wcsdup(const wchar_t *); wchar_t *wcschr(const wchar_t *, wchar_t);
wchar_t *wcsrchr(const wchar_t *, wchar_t); size_t wcscspn(const wchar_t *, const wchar_t *); size_t wcsspn(const wchar_t *, const wchar_t *);
wchar_t *wcspbrk(const wchar_t *, const wchar_t *); wchar_t *wcsstr(const wchar_t *, const wchar_t *);
wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **); size_t wcslen(const wchar_t *); size_t wcsnlen(const wchar_t *, size_t);
wchar_t *wmemchr(const wchar_t *, wchar_t, size_t); int wmemcmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t); wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *wmemset(wchar_t *, wchar_t, size_t); wint_t btowc(int); int wctob(wint_t); int mbsinit(const mbstate_t *);
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *); size_t wcrtomb(char *, wchar_t, mbstate_t *);
size_t mbrlen(const char *, size_t, mbstate_t *); size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *); size_t mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *); double wcstod(const wchar_t *, wchar_t **);
float wcstof(const wchar_t *, wchar_t **); long double wcstold(const wchar_t *, wchar_t **); long int wcstol(const wchar_t *, wchar_t **, int);
long unsigned int wcstoul(const wchar_t *, wchar_t **, int); long long int wcstoll(const wchar_t *, wchar_t **, int);
long long unsigned int wcstoull(const wchar_t *, wchar_t **, int); wchar_t *wcpcpy(wchar_t *, const wchar_t *);
wchar_t *wcpncpy(wchar_t *, const wchar_t *, size_t); FILE *open_wmemstream(wchar_t **, size_t *); int fwide(FILE *, int);
int fwprintf(FILE *, const wchar_t *, ...); int wprintf(const wchar_t *, ...); int swprintf(wchar_t *, size_t, const wchar_t *, ...);
int vfwprintf(FILE *, const wchar_t *, va_list); int vwprintf(const wchar_t *, va_list);
int vswprintf(wchar_t *, size_t, const wchar_t *, va_list); int fwscanf(FILE *, const wchar_t *, ...); int wscanf(const wchar_t *, ...);
int swscanf(const wchar_t *, const wchar_t *, ...); int fwscanf(FILE *, const wchar_t *, ...); int wscanf(const wchar_t *, ...);
int swscanf(const wchar_t *, const wchar_t *, ...); int vfwscanf(FILE *, const wchar_t *, va_list);
int vwscanf(const wchar_t *, va_list); int vswscanf(const wchar_t *, const wchar_t *, va_list);
int vfwscanf(FILE *, const wchar_t *, va_list); int vwscanf(const wchar_t *, va_list);
int vswscanf(const wchar_t *, const wchar_t *, va_list); wint_t fgetwc(FILE *); wint_t getwc(FILE *); wint_t getwchar(void);
wint_t fputwc(wchar_t, FILE *); wint_t putwc(wchar_t, FILE *); wint_t putwchar(wchar_t); wchar_t *fgetws(wchar_t *, int, FILE *);
int fputws(const wchar_t *, FILE *); wint_t ungetwc(wint_t, FILE *); size_t wcsftime(wchar_t *, size_t, const wchar_t *, const struct tm *);
