#pragma once
typedef struct __craig_locale *locale_t;
