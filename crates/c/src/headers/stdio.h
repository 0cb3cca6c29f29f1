#pragma once
#include <craig/types.h>
#include <craig/opaque.h>
#include <stdarg.h>
typedef long off_t; typedef struct { off_t __pos; struct { int __count; unsigned int __value; } __state; } fpos_t;
typedef struct __craig_FILE FILE;
#ifdef __LP64__
struct __craig_opaque __craig_FILE { int __craig_state; __craig_words16 __craig_words4 __craig_words4 __craig_word __craig_word };
#else
struct __craig_opaque __craig_FILE { int __craig_state; __craig_words16 __craig_words16 __craig_words4 };
#endif
extern FILE *stdin; extern FILE *stdout; extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...); int vprintf(const char *, va_list); int vfprintf(FILE *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list); int vsprintf(char *, const char *, va_list);
int scanf(const char *, ...); int fscanf(FILE *, const char *, ...); int sscanf(const char *, const char *, ...);
int puts(const char *); int putchar(int); int putc(int, FILE *); int fputc(int, FILE *); int fputs(const char *, FILE *);
int getchar(void); int getc(FILE *); int fgetc(FILE *); char *fgets(char *, int, FILE *); int ungetc(int, FILE *);
FILE *fopen(const char *, const char *); int fclose(FILE *); int fflush(FILE *); int feof(FILE *); int ferror(FILE *);
size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int); long ftell(FILE *); void rewind(FILE *); void perror(const char *); int remove(const char *);
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define P_tmpdir "/tmp"
int rename(const char *, const char *); int renameat(int, const char *, int, const char *); FILE *tmpfile(void); char *tmpnam(char *);
char *tmpnam_r(char *); char *tempnam(const char *, const char *); int fflush_unlocked(FILE *); FILE *freopen(const char *, const char *, FILE *);
FILE *fdopen(int, const char *); FILE *fmemopen(void *, size_t, const char *); FILE *open_memstream(char **, size_t *); void setbuf(FILE *, char *);
int setvbuf(FILE *, char *, int, size_t); void setbuffer(FILE *, char *, size_t); void setlinebuf(FILE *);
int vdprintf(int, const char *, va_list); int dprintf(int, const char *, ...); int vfscanf(FILE *, const char *, va_list);
int vscanf(const char *, va_list); int vsscanf(const char *, const char *, va_list);
int vfscanf(FILE *, const char *, va_list); int vscanf(const char *, va_list);
int vsscanf(const char *, const char *, va_list); int getc_unlocked(FILE *); int getchar_unlocked(void); int fgetc_unlocked(FILE *);
int fputc_unlocked(int, FILE *); int putc_unlocked(int, FILE *); int putchar_unlocked(int); int getw(FILE *); int putw(int, FILE *);
ssize_t getdelim(char **, size_t *, int, FILE *); ssize_t getline(char **, size_t *, FILE *); size_t fread_unlocked(void *, size_t, size_t, FILE *);
size_t fwrite_unlocked(const void *, size_t, size_t, FILE *); int fseeko(FILE *, off_t, int); off_t ftello(FILE *); int fgetpos(FILE *, fpos_t *);
int fsetpos(FILE *, const fpos_t *); void clearerr(FILE *); void clearerr_unlocked(FILE *); int feof_unlocked(FILE *); int ferror_unlocked(FILE *);
int fileno(FILE *); int fileno_unlocked(FILE *); int pclose(FILE *); FILE *popen(const char *, const char *); char *ctermid(char *);
void flockfile(FILE *); int ftrylockfile(FILE *); void funlockfile(FILE *);
#define L_ctermid 9
#ifdef _GNU_SOURCE
#define SEEK_DATA 3
#define SEEK_HOLE 4
#define L_cuserid 9
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4
#endif
