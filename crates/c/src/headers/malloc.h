#pragma once
#include <stdlib.h>
#include <stdio.h>
struct mallinfo { int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost; };
void *memalign(size_t, size_t); size_t malloc_usable_size(void *); int malloc_trim(size_t); int mallopt(int, int); struct mallinfo mallinfo(void);
#define M_MXFAST 1
#define M_NLBLKS 2
#define M_GRAIN 3
#define M_KEEP 4
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)
#define M_ARENA_TEST (-7)
#define M_ARENA_MAX (-8)
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void *reallocarray(void *, size_t, size_t); void free(void *);
void *valloc(size_t); void *pvalloc(size_t); struct mallinfo2 mallinfo2(void); void malloc_stats(void); int malloc_info(int, FILE *);
