// expect: false(no-overflow)
// property: no-overflow
// data-model: LP64
int main(void){ __int128 m = (__int128)1 << 126; m = -m - m; __int128 k = -1; return (int)(m % k); }
