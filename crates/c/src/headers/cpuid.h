#pragma once
unsigned int __get_cpuid_max(unsigned int, unsigned int *);
int __get_cpuid(unsigned int, unsigned int *, unsigned int *, unsigned int *, unsigned int *); int __get_cpuid_count(unsigned int, unsigned int, unsigned int *, unsigned int *, unsigned int *, unsigned int *);
