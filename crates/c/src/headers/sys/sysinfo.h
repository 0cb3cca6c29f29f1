#pragma once
struct sysinfo { long uptime; unsigned long loads[3]; unsigned long totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs; unsigned short pad; unsigned long totalhigh, freehigh; unsigned int mem_unit; char __padding[20 - 2 * sizeof(long) - sizeof(int)]; };
int sysinfo(struct sysinfo *); int get_nprocs_conf(void); int get_nprocs(void); long int get_phys_pages(void); long int get_avphys_pages(void);
#define SI_LOAD_SHIFT 16
