#pragma once
#include <sys/socket.h>
struct if_nameindex { unsigned int if_index; char *if_name; };
struct ifmap { unsigned long mem_start; unsigned long mem_end; unsigned short base_addr; unsigned char irq; unsigned char dma; unsigned char port; };
struct ifreq { union { char ifrn_name[16]; } ifr_ifrn; union { struct sockaddr ifru_addr; struct sockaddr ifru_dstaddr; struct sockaddr ifru_broadaddr; struct sockaddr ifru_netmask; struct sockaddr ifru_hwaddr; short ifru_flags; int ifru_ivalue; int ifru_mtu; struct ifmap ifru_map; char ifru_slave[16]; char ifru_newname[16]; caddr_t ifru_data; } ifr_ifru; };
#define ifr_name ifr_ifrn.ifrn_name
#define ifr_hwaddr ifr_ifru.ifru_hwaddr
#define ifr_addr ifr_ifru.ifru_addr
#define ifr_dstaddr ifr_ifru.ifru_dstaddr
#define ifr_broadaddr ifr_ifru.ifru_broadaddr
#define ifr_netmask ifr_ifru.ifru_netmask
#define ifr_flags ifr_ifru.ifru_flags
#define ifr_ifindex ifr_ifru.ifru_ivalue
#define ifr_mtu ifr_ifru.ifru_mtu
#define ifr_data ifr_ifru.ifru_data
#define IF_NAMESIZE 16
#define IFNAMSIZ 16
#define IFF_UP 1
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_POINTOPOINT 16
#define IFF_RUNNING 64
#define IFF_PROMISC 256
#define IFF_MULTICAST 4096
#define IFF_DEBUG 4
#define IFF_NOTRAILERS 32
#define IFF_NOARP 128
#define IFF_ALLMULTI 512
#define IFF_MASTER 1024
#define IFF_SLAVE 2048
#define IFF_PORTSEL 8192
#define IFF_AUTOMEDIA 16384
#define IFF_DYNAMIC 32768
#define IFHWADDRLEN 6
unsigned int if_nametoindex(const char *); char *if_indextoname(unsigned int, char *); void if_freenameindex(struct if_nameindex *);
