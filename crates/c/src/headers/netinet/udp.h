#pragma once
#include <stdint.h>
struct udphdr { union { struct { uint16_t uh_sport; uint16_t uh_dport; uint16_t uh_ulen; uint16_t uh_sum; }; struct { uint16_t source; uint16_t dest; uint16_t len; uint16_t check; }; }; };
#define UDP_CORK 1
#define SOL_UDP 17
