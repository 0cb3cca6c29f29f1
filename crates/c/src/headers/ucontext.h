#pragma once
#include <craig/opaque.h>
#include <signal.h>
#ifdef __LP64__
typedef struct __craig_opaque { int __craig_state; __craig_words16 __craig_words4 __craig_words4 __craig_words4 __craig_word __craig_word __craig_word } mcontext_t;
typedef struct ucontext_t { unsigned long uc_flags; struct ucontext_t *uc_link; stack_t uc_stack; mcontext_t uc_mcontext; sigset_t uc_sigmask; __craig_words16 __craig_words16 __craig_words16 __craig_words16 __craig_words4 } ucontext_t;
#else
typedef struct __craig_opaque { int __craig_state; __craig_words16 __craig_words4 __craig_word } mcontext_t;
typedef struct ucontext_t { unsigned long uc_flags; struct ucontext_t *uc_link; stack_t uc_stack; mcontext_t uc_mcontext; sigset_t uc_sigmask; __craig_words16 __craig_words16 } ucontext_t;
#endif
int getcontext(ucontext_t *); int setcontext(const ucontext_t *); int swapcontext(ucontext_t *, const ucontext_t *); void makecontext(ucontext_t *, void (*)(void), int, ...);
