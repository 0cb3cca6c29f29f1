// expect: true
// property: LTL(F ("(long)st.m + 1 == 3" && "a[1] == 5" && "(unsigned char)c == 44"))
struct s { int k; int m; } st;
int a[3];
int c;
int main(void) { c = 300; a[1] = 5; st.m = 2; return 0; }
