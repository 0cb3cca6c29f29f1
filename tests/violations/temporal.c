// property: LTL(G ("request > 0" ==> F "answer == 1"))
extern int __VERIFIER_nondet_int(void);
int request, answer;

int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int();
    answer = 0;
    if (request == 5) continue;
    if (request > 0) answer = 1;
  }
}
