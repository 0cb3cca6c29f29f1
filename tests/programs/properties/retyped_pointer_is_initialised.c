// expect: true
// property: no-uninitialised-read
// What is read as a character was set as a number.
union view {
    int *number;
    unsigned char *bytes;
};
int main(void) {
    int x = 5;
    union view v;
    v.number = &x;
    return v.bytes[0];
}
