#pragma once
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
typedef int error_t;
struct argp_option { const char *name; int key; const char *arg; int flags; const char *doc; int group; };
#define OPTION_ARG_OPTIONAL 1
#define OPTION_HIDDEN 2
#define OPTION_ALIAS 4
#define OPTION_DOC 8
#define OPTION_NO_USAGE 16
struct argp; struct argp_state; struct argp_child;
typedef error_t (*argp_parser_t)(int, char *, struct argp_state *);
#define ARGP_ERR_UNKNOWN 7
#define ARGP_KEY_ARG 0
#define ARGP_KEY_ARGS 0x1000006
#define ARGP_KEY_END 0x1000001
#define ARGP_KEY_NO_ARGS 0x1000002
#define ARGP_KEY_INIT 0x1000003
#define ARGP_KEY_FINI 0x1000007
#define ARGP_KEY_SUCCESS 0x1000004
#define ARGP_KEY_ERROR 0x1000005
struct argp { const struct argp_option *options; argp_parser_t parser; const char *args_doc; const char *doc; const struct argp_child *children; char *(*help_filter)(int, const char *, void *); const char *argp_domain; };
struct argp_child { const struct argp *argp; int flags; const char *header; int group; };
struct argp_state { const struct argp *root_argp; int argc; char **argv; int next; unsigned flags; unsigned arg_num; int quoted; void *input; void **child_inputs; void *hook; char *name; FILE *err_stream; FILE *out_stream; void *pstate; };
#define ARGP_PARSE_ARGV0 1
#define ARGP_NO_ERRS 2
#define ARGP_NO_ARGS 4
#define ARGP_IN_ORDER 8
#define ARGP_NO_HELP 16
#define ARGP_NO_EXIT 32
#define ARGP_LONG_ONLY 64
#define ARGP_SILENT 50
extern const char *argp_program_version; extern const char *argp_program_bug_address; extern error_t argp_err_exit_status;
error_t argp_parse(const struct argp *, int, char **, unsigned, int *, void *); void argp_help(const struct argp *, FILE *, unsigned, char *); void argp_usage(const struct argp_state *);
void argp_error(const struct argp_state *, const char *, ...); void argp_failure(const struct argp_state *, int, int, const char *, ...); void argp_state_help(const struct argp_state *, FILE *, unsigned);
#define ARGP_KEY_HELP_PRE_DOC 33554433
#define ARGP_KEY_HELP_POST_DOC 33554434
#define ARGP_KEY_HELP_HEADER 33554435
#define ARGP_KEY_HELP_EXTRA 33554436
#define ARGP_KEY_HELP_DUP_ARGS_NOTE 33554437
#define ARGP_KEY_HELP_ARGS_DOC 33554438
#define ARGP_HELP_USAGE 1
#define ARGP_HELP_SHORT_USAGE 2
#define ARGP_HELP_SEE 4
#define ARGP_HELP_LONG 8
#define ARGP_HELP_PRE_DOC 16
#define ARGP_HELP_POST_DOC 32
#define ARGP_HELP_DOC 48
#define ARGP_HELP_BUG_ADDR 64
#define ARGP_HELP_LONG_ONLY 128
#define ARGP_HELP_EXIT_ERR 256
#define ARGP_HELP_EXIT_OK 512
#define ARGP_HELP_STD_ERR 260
#define ARGP_HELP_STD_USAGE 262
#define ARGP_HELP_STD_HELP 634
