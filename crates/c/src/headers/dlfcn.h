#pragma once
#include <craig/types.h>
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_BINDING_MASK 3
#define RTLD_NOLOAD 4
#define RTLD_DEEPBIND 8
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
#define RTLD_NODELETE 4096
void *dlopen(const char *, int); int dlclose(void *); void *dlsym(void *, const char *); char *dlerror(void);
#ifdef _GNU_SOURCE
#define LM_ID_BASE 0
#define LM_ID_NEWLM (-1)
#endif
