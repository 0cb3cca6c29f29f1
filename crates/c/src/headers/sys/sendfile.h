#pragma once
#include <craig/posix.h>
ssize_t sendfile(int, int, off_t *, size_t);
