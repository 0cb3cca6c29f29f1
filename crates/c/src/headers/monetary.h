#pragma once
#include <craig/types.h>
#include <craig/locale.h>
ssize_t strfmon(char *, size_t, const char *, ...); ssize_t strfmon_l(char *, size_t, locale_t, const char *, ...);
