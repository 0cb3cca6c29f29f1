#pragma once
#include <craig/opaque.h>
#ifdef __LP64__
struct __craig_opaque __jmp_buf_tag { int __craig_state; __craig_words16 __craig_words4 __craig_words4 };
#else
struct __craig_opaque __jmp_buf_tag { int __craig_state; __craig_words16 __craig_words16 __craig_words4 __craig_word __craig_word };
#endif
typedef struct __jmp_buf_tag jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf); void longjmp(jmp_buf, int) __attribute__((__noreturn__));
int sigsetjmp(sigjmp_buf, int); int __sigsetjmp(sigjmp_buf, int); int _setjmp(struct __jmp_buf_tag *); void _longjmp(struct __jmp_buf_tag *, int); void siglongjmp(struct __jmp_buf_tag *, int);
