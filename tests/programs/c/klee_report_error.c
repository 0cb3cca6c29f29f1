// expect: false(unreach-call)
void klee_report_error(const char *, int, const char *, const char *);
int klee_int(const char *);
int main(void){ if (klee_int("x") == 5) klee_report_error("f", 1, "m", "s"); return 0; }
