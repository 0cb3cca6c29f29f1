// expect: false
// property: termination
int main(void) {
    unsigned i; for (i = 3; i >= 0; i--) ;
    return 0;
}
