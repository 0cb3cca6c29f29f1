#pragma once
#include <sys/socket.h>
#include <stdint.h>
typedef uint16_t in_port_t; typedef uint32_t in_addr_t;
struct in_addr { in_addr_t s_addr; };
struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __in6_u; };
#define s6_addr __in6_u.__u6_addr8
#define s6_addr16 __in6_u.__u6_addr16
#define s6_addr32 __in6_u.__u6_addr32
struct sockaddr_in { sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char sin_zero[8]; };
struct sockaddr_in6 { sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr; uint32_t sin6_scope_id; };
struct ip_mreq { struct in_addr imr_multiaddr; struct in_addr imr_interface; };
struct ipv6_mreq { struct in6_addr ipv6mr_multiaddr; unsigned int ipv6mr_interface; };
extern const struct in6_addr in6addr_any, in6addr_loopback;
#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_IGMP 2
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_ICMPV6 58
#define IPPROTO_RAW 255
#define INADDR_ANY ((in_addr_t)0x00000000)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define IN6ADDR_ANY_INIT { { { 0 } } }
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define IP_TOS 1
#define IP_TTL 2
#define IP_MULTICAST_IF 32
#define IP_MULTICAST_TTL 33
#define IP_MULTICAST_LOOP 34
#define IP_ADD_MEMBERSHIP 35
#define IP_DROP_MEMBERSHIP 36
#define IPV6_V6ONLY 26
#define IPPROTO_IPIP 4
#define IPPROTO_EGP 8
#define IPPROTO_PUP 12
#define IPPROTO_IDP 22
#define IPPROTO_TP 29
#define IPPROTO_DCCP 33
#define IPPROTO_RSVP 46
#define IPPROTO_GRE 47
#define IPPROTO_ESP 50
#define IPPROTO_AH 51
#define IPPROTO_MTP 92
#define IPPROTO_BEETPH 94
#define IPPROTO_ENCAP 98
#define IPPROTO_PIM 103
#define IPPROTO_COMP 108
#define IPPROTO_SCTP 132
#define IPPROTO_UDPLITE 136
#define IPPROTO_MPLS 137
#define IPPROTO_ETHERNET 143
#define IPPROTO_MPTCP 262
#define IPPROTO_HOPOPTS 0
#define IPPROTO_ROUTING 43
#define IPPROTO_FRAGMENT 44
#define IPPROTO_NONE 59
#define IPPROTO_DSTOPTS 60
#define IPPROTO_MH 135
#define IN_CLASSA_NET 4278190080ull
#define IN_CLASSA_NSHIFT 24
#define IN_CLASSA_HOST 16777215u
#define IN_CLASSA_MAX 128
#define IN_CLASSB_NET 4294901760ull
#define IN_CLASSB_NSHIFT 16
#define IN_CLASSB_HOST 65535u
#define IN_CLASSB_MAX 65536
#define IN_CLASSC_NET 4294967040ull
#define IN_CLASSC_NSHIFT 8
#define IN_CLASSC_HOST 255u
#define INADDR_DUMMY 3221225480ull
#define IN_LOOPBACKNET 127
#define INADDR_UNSPEC_GROUP 3758096384ull
#define INADDR_ALLHOSTS_GROUP 3758096385ull
#define INADDR_ALLRTRS_GROUP 3758096386ull
#define INADDR_ALLSNOOPERS_GROUP 3758096490ull
#define INADDR_MAX_LOCAL_GROUP 3758096639ull
uint32_t ntohl(uint32_t); uint16_t ntohs(uint16_t); uint32_t htonl(uint32_t); uint16_t htons(uint16_t); int bindresvport(int, struct sockaddr_in *);
int bindresvport6(int, struct sockaddr_in6 *);
