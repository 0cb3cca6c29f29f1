#pragma once
#include <netinet/in.h>
#include <stdint.h>
struct hostent { char *h_name; char **h_aliases; int h_addrtype; int h_length; char **h_addr_list; };
#define h_addr h_addr_list[0]
struct netent { char *n_name; char **n_aliases; int n_addrtype; uint32_t n_net; };
struct servent { char *s_name; char **s_aliases; int s_port; char *s_proto; };
struct protoent { char *p_name; char **p_aliases; int p_proto; };
struct rpcent { char *r_name; char **r_aliases; int r_number; };
struct addrinfo { int ai_flags; int ai_family; int ai_socktype; int ai_protocol; socklen_t ai_addrlen; struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next; };
extern int h_errno;
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#define NETDB_INTERNAL (-1)
#define NETDB_SUCCESS 0
#define NO_ADDRESS 4
#define IPPORT_RESERVED 1024
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 16
#define AI_ADDRCONFIG 32
#define AI_NUMERICSERV 1024
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
void herror(const char *); const char *hstrerror(int); void sethostent(int); void endhostent(void); struct hostent *gethostent(void);
struct hostent *gethostbyaddr(const void *, socklen_t, int); struct hostent *gethostbyname(const char *);
struct hostent *gethostbyname2(const char *, int); int gethostent_r(struct hostent *, char *, size_t, struct hostent **, int *);
int gethostbyaddr_r(const void *, socklen_t, int, struct hostent *, char *, size_t, struct hostent **, int *);
int gethostbyname_r(const char *, struct hostent *, char *, size_t, struct hostent **, int *);
int gethostbyname2_r(const char *, int, struct hostent *, char *, size_t, struct hostent **, int *); void setnetent(int); void endnetent(void);
struct netent *getnetent(void); struct netent *getnetbyaddr(uint32_t, int); struct netent *getnetbyname(const char *);
int getnetent_r(struct netent *, char *, size_t, struct netent **, int *);
int getnetbyaddr_r(uint32_t, int, struct netent *, char *, size_t, struct netent **, int *);
int getnetbyname_r(const char *, struct netent *, char *, size_t, struct netent **, int *); void setservent(int); void endservent(void);
struct servent *getservent(void); struct servent *getservbyname(const char *, const char *); struct servent *getservbyport(int, const char *);
int getservent_r(struct servent *, char *, size_t, struct servent **);
int getservbyname_r(const char *, const char *, struct servent *, char *, size_t, struct servent **);
int getservbyport_r(int, const char *, struct servent *, char *, size_t, struct servent **); void setprotoent(int); void endprotoent(void);
struct protoent *getprotoent(void); struct protoent *getprotobyname(const char *); struct protoent *getprotobynumber(int);
int getprotoent_r(struct protoent *, char *, size_t, struct protoent **);
int getprotobyname_r(const char *, struct protoent *, char *, size_t, struct protoent **);
int getprotobynumber_r(int, struct protoent *, char *, size_t, struct protoent **); int setnetgrent(const char *); void endnetgrent(void);
int getnetgrent(char **, char **, char **); int innetgr(const char *, const char *, const char *, const char *);
int getnetgrent_r(char **, char **, char **, char *, size_t); int rcmd(char **, short unsigned int, const char *, const char *, const char *, int *);
int rcmd_af(char **, short unsigned int, const char *, const char *, const char *, int *, sa_family_t);
int rexec(char **, int, const char *, const char *, const char *, int *);
int rexec_af(char **, int, const char *, const char *, const char *, int *, sa_family_t); int ruserok(const char *, int, const char *, const char *);
int ruserok_af(const char *, int, const char *, const char *, sa_family_t); int iruserok(uint32_t, int, const char *, const char *);
int iruserok_af(const void *, int, const char *, const char *, sa_family_t); int rresvport(int *); int rresvport_af(int *, sa_family_t);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **); void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int); int getnameinfo(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
#ifdef _GNU_SOURCE
#define SCOPE_DELIMITER 37
#define GAI_WAIT 0
#define GAI_NOWAIT 1
#define AI_IDN 64
#define AI_CANONIDN 128
#define AI_IDN_ALLOW_UNASSIGNED 256
#define AI_IDN_USE_STD3_ASCII_RULES 512
#define EAI_NODATA (-5)
#define EAI_ADDRFAMILY (-9)
#define EAI_INPROGRESS (-100)
#define EAI_CANCELED (-101)
#define EAI_NOTCANCELED (-102)
#define EAI_ALLDONE (-103)
#define EAI_INTR (-104)
#define EAI_IDN_ENCODE (-105)
#define NI_IDN 32
#define NI_IDN_ALLOW_UNASSIGNED 64
#define NI_IDN_USE_STD3_ASCII_RULES 128
#endif
