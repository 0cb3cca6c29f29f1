// expect: unknown
void my_assert(int c);
int main(void){ int x = 1; my_assert(x == 2); return 0; }
