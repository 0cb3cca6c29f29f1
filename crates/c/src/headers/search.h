#pragma once
#include <craig/types.h>
typedef int (*__compar_fn_t)(const void *, const void *); typedef enum { FIND, ENTER } ACTION; typedef struct entry { char *key; void *data; } ENTRY;
typedef enum { preorder, postorder, endorder, leaf } VISIT; typedef void (*__action_fn_t)(const void *, VISIT, int);
void insque(void *, void *); void remque(void *); ENTRY *hsearch(ENTRY, ACTION); int hcreate(size_t); void hdestroy(void);
void *tsearch(const void *, void **, __compar_fn_t); void *tfind(const void *, void *const *, __compar_fn_t);
void *tdelete(const void *, void **, __compar_fn_t); void twalk(const void *, __action_fn_t);
void *lfind(const void *, const void *, size_t *, size_t, __compar_fn_t); void *lsearch(const void *, void *, size_t *, size_t, __compar_fn_t);
