// expect: true
#include <arpa/inet.h>
extern void reach_error(void);
int main(void) {
  if (htons(0x1234) != 0x3412 || ntohl(htonl(0x12345678)) != 0x12345678 || htonl(1) != 0x1000000)
    reach_error();
  return 0;
}
