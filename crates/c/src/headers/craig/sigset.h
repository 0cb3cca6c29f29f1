#pragma once
typedef struct { unsigned long __val[1024 / (8 * sizeof(unsigned long))]; } sigset_t;
