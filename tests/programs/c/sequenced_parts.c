// expect: true
// Everything here is ordered, or about different members and elements.
extern void reach_error(void);
struct buffer { int data[4]; int length, limit; };
static void put(struct buffer *b, int value) {
    if (b->length < b->limit) b->data[b->length++] = value;
}
static int total(const int *from, int n) {
    int sum = 0;
    while (n-- > 0) sum += *from++;
    return sum;
}
int main(void) {
    struct buffer b = {{0}, 0, 4}, c = {{0}, 0, 4};
    int pair[2] = {1, 2}, copy[2], *to = copy, *from = pair, i = 0;
    put(&b, 5);
    put(&b, 6);
    *to++ = *from++;
    *to++ = *from++;
    i = pair[0] + (pair[1] = 7);
    i += copy[i - 8] + (copy[i - 7] = 3);
    struct buffer *p = &c;
    p->limit = p->length++ + 1;
    p->data[0] = p->data[1] = 4;
    if (total(b.data, b.length) != 11 || i != 12 || p->limit != 1 || p->data[0] + p->data[1] != 8) reach_error();
    return 0;
}
