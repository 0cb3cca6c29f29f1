#pragma once
#include <craig/types.h>
#include <craig/locale.h>
struct lconv { char *decimal_point; char *thousands_sep; char *grouping; char *int_curr_symbol; char *currency_symbol; char *mon_decimal_point; char *mon_thousands_sep; char *mon_grouping; char *positive_sign; char *negative_sign; char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space, p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space, int_p_sign_posn, int_n_sign_posn; };
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#define LC_PAPER 7
#define LC_NAME 8
#define LC_ADDRESS 9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_TIME_MASK 4
#define LC_COLLATE_MASK 8
#define LC_MONETARY_MASK 16
#define LC_MESSAGES_MASK 32
#define LC_PAPER_MASK 128
#define LC_NAME_MASK 256
#define LC_ADDRESS_MASK 512
#define LC_TELEPHONE_MASK 1024
#define LC_MEASUREMENT_MASK 2048
#define LC_IDENTIFICATION_MASK 4096
#define LC_ALL_MASK 8127
char *setlocale(int, const char *); struct lconv *localeconv(void); locale_t newlocale(int, const char *, locale_t); locale_t duplocale(locale_t);
void freelocale(locale_t); locale_t uselocale(locale_t);
