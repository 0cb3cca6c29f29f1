#pragma once
int prctl(int, ...);
