#pragma once
#define UL_GETFSIZE 1
#define UL_SETFSIZE 2
long int ulimit(int, ...);
