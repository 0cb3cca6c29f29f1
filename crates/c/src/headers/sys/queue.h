#pragma once
/* Lists by macros, as 4.4BSD defines them: singly linked, with a tail, doubly linked, doubly linked with a tail. */
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == 0)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)
#define SLIST_INIT(head) do { SLIST_FIRST(head) = 0; } while (0)
#define SLIST_FOREACH(var, head, field) for ((var) = SLIST_FIRST(head); (var); (var) = SLIST_NEXT(var, field))
#define SLIST_INSERT_HEAD(head, elm, field) do { SLIST_NEXT(elm, field) = SLIST_FIRST(head); SLIST_FIRST(head) = (elm); } while (0)
#define SLIST_INSERT_AFTER(at, elm, field) do { SLIST_NEXT(elm, field) = SLIST_NEXT(at, field); SLIST_NEXT(at, field) = (elm); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field); } while (0)
#define SLIST_REMOVE_AFTER(at, field) do { SLIST_NEXT(at, field) = SLIST_NEXT(SLIST_NEXT(at, field), field); } while (0)
#define SLIST_REMOVE(head, elm, type, field) do { \
  struct type **__craig_at = &SLIST_FIRST(head); \
  while (*__craig_at != (elm)) __craig_at = &SLIST_NEXT(*__craig_at, field); \
  *__craig_at = SLIST_NEXT(elm, field); } while (0)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_EMPTY(head) (LIST_FIRST(head) == 0)
#define LIST_NEXT(elm, field) ((elm)->field.le_next)
#define LIST_INIT(head) do { LIST_FIRST(head) = 0; } while (0)
#define LIST_FOREACH(var, head, field) for ((var) = LIST_FIRST(head); (var); (var) = LIST_NEXT(var, field))
#define LIST_INSERT_HEAD(head, elm, field) do { \
  LIST_NEXT(elm, field) = LIST_FIRST(head); \
  if (LIST_FIRST(head)) LIST_FIRST(head)->field.le_prev = &LIST_NEXT(elm, field); \
  LIST_FIRST(head) = (elm); (elm)->field.le_prev = &LIST_FIRST(head); } while (0)
#define LIST_INSERT_AFTER(at, elm, field) do { \
  LIST_NEXT(elm, field) = LIST_NEXT(at, field); \
  if (LIST_NEXT(at, field)) LIST_NEXT(at, field)->field.le_prev = &LIST_NEXT(elm, field); \
  LIST_NEXT(at, field) = (elm); (elm)->field.le_prev = &LIST_NEXT(at, field); } while (0)
#define LIST_INSERT_BEFORE(at, elm, field) do { \
  LIST_NEXT(elm, field) = (at); (elm)->field.le_prev = (at)->field.le_prev; \
  *(at)->field.le_prev = (elm); (at)->field.le_prev = &LIST_NEXT(elm, field); } while (0)
#define LIST_REMOVE(elm, field) do { \
  if (LIST_NEXT(elm, field)) LIST_NEXT(elm, field)->field.le_prev = (elm)->field.le_prev; \
  *(elm)->field.le_prev = LIST_NEXT(elm, field); } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == 0)
#define STAILQ_NEXT(elm, field) ((elm)->field.stqe_next)
#define STAILQ_INIT(head) do { STAILQ_FIRST(head) = 0; (head)->stqh_last = &STAILQ_FIRST(head); } while (0)
#define STAILQ_FOREACH(var, head, field) for ((var) = STAILQ_FIRST(head); (var); (var) = STAILQ_NEXT(var, field))
#define STAILQ_INSERT_HEAD(head, elm, field) do { \
  STAILQ_NEXT(elm, field) = STAILQ_FIRST(head); \
  if (!STAILQ_FIRST(head)) (head)->stqh_last = &STAILQ_NEXT(elm, field); \
  STAILQ_FIRST(head) = (elm); } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field) do { \
  STAILQ_NEXT(elm, field) = 0; *(head)->stqh_last = (elm); (head)->stqh_last = &STAILQ_NEXT(elm, field); } while (0)
#define STAILQ_INSERT_AFTER(head, at, elm, field) do { \
  STAILQ_NEXT(elm, field) = STAILQ_NEXT(at, field); \
  if (!STAILQ_NEXT(elm, field)) (head)->stqh_last = &STAILQ_NEXT(elm, field); \
  STAILQ_NEXT(at, field) = (elm); } while (0)
#define STAILQ_REMOVE_HEAD(head, field) do { \
  STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field); \
  if (!STAILQ_FIRST(head)) (head)->stqh_last = &STAILQ_FIRST(head); } while (0)
#define STAILQ_REMOVE(head, elm, type, field) do { \
  struct type **__craig_at = &STAILQ_FIRST(head); \
  while (*__craig_at != (elm)) __craig_at = &STAILQ_NEXT(*__craig_at, field); \
  *__craig_at = STAILQ_NEXT(elm, field); \
  if (!*__craig_at) (head)->stqh_last = __craig_at; } while (0)

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == 0)
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)
#define TAILQ_LAST(head, headname) (*(((struct headname *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(elm, headname, field) (*(((struct headname *)((elm)->field.tqe_prev))->tqh_last))
#define TAILQ_INIT(head) do { TAILQ_FIRST(head) = 0; (head)->tqh_last = &TAILQ_FIRST(head); } while (0)
#define TAILQ_FOREACH(var, head, field) for ((var) = TAILQ_FIRST(head); (var); (var) = TAILQ_NEXT(var, field))
#define TAILQ_FOREACH_REVERSE(var, head, headname, field) for ((var) = TAILQ_LAST(head, headname); (var); (var) = TAILQ_PREV(var, headname, field))
#define TAILQ_INSERT_HEAD(head, elm, field) do { \
  TAILQ_NEXT(elm, field) = TAILQ_FIRST(head); \
  if (TAILQ_FIRST(head)) TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
  else (head)->tqh_last = &TAILQ_NEXT(elm, field); \
  TAILQ_FIRST(head) = (elm); (elm)->field.tqe_prev = &TAILQ_FIRST(head); } while (0)
#define TAILQ_INSERT_TAIL(head, elm, field) do { \
  TAILQ_NEXT(elm, field) = 0; (elm)->field.tqe_prev = (head)->tqh_last; \
  *(head)->tqh_last = (elm); (head)->tqh_last = &TAILQ_NEXT(elm, field); } while (0)
#define TAILQ_INSERT_AFTER(head, at, elm, field) do { \
  TAILQ_NEXT(elm, field) = TAILQ_NEXT(at, field); \
  if (TAILQ_NEXT(elm, field)) TAILQ_NEXT(elm, field)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
  else (head)->tqh_last = &TAILQ_NEXT(elm, field); \
  TAILQ_NEXT(at, field) = (elm); (elm)->field.tqe_prev = &TAILQ_NEXT(at, field); } while (0)
#define TAILQ_INSERT_BEFORE(at, elm, field) do { \
  (elm)->field.tqe_prev = (at)->field.tqe_prev; TAILQ_NEXT(elm, field) = (at); \
  *(at)->field.tqe_prev = (elm); (at)->field.tqe_prev = &TAILQ_NEXT(elm, field); } while (0)
#define TAILQ_REMOVE(head, elm, field) do { \
  if (TAILQ_NEXT(elm, field)) TAILQ_NEXT(elm, field)->field.tqe_prev = (elm)->field.tqe_prev; \
  else (head)->tqh_last = (elm)->field.tqe_prev; \
  *(elm)->field.tqe_prev = TAILQ_NEXT(elm, field); } while (0)
