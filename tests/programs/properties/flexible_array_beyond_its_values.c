// expect: false(valid-deref)
// property: valid-memsafety
// data-model: LP64
struct text { int n; char letters[]; };
static struct text t = {3, {1, 2, 3}};
int main(void) { return t.letters[3]; }
