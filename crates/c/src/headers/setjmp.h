#pragma once
typedef struct { int __craig_state[16]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf); void longjmp(jmp_buf, int) __attribute__((__noreturn__));
int _setjmp(struct __jmp_buf_tag *); void _longjmp(struct __jmp_buf_tag *, int); void siglongjmp(struct __jmp_buf_tag *, int);
