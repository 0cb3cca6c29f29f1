#pragma once
#include <unistd.h>
