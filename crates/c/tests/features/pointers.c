struct P { char t; short v[3]; struct { int x; long y; } in[2]; struct P *next; };
static struct P pool[4];
int main(void) {
  struct P *p = pool, *q = &pool[3];
  CHK(q - p); CHK(p - q); CHK(p < q); CHK(p + 3 == q); CHK((char*)q - (char*)p == 3 * sizeof(struct P));
  int *px = &pool[1].in[1].x; *px = 42; CHK(pool[1].in[1].x);
  CHK((char*)px - (char*)&pool[1]);
  short *v = pool[2].v; for (int i = 0; i < 3; i++) *v++ = i * 7 - 5;
  CHK(pool[2].v[0]); CHK(pool[2].v[2]); CHK(v - pool[2].v);
  v = &pool[2].v[2]; CHK(v[-1]); CHK(*--v); CHK(1[v]);
  for (p = pool; p < pool + 3; p++) p->next = p + 1;
  pool[3].next = 0; int n = 0; for (p = pool; p; p = p->next) { p->t = n++; }
  CHK(n); CHK(pool[3].t); CHK(pool[0].next->next->t);
  p = pool; (*p).next->in[0].y = -9; CHK(pool[1].in[0].y);
  long *py = &(p + 1)->in[0].y; *py += 3; CHK(pool[1].in[0].y);
  char *c = (char *)&pool[1]; c += __builtin_offsetof(struct P, in[0].y); CHK(*(long *)c);
  struct P **pp = &pool[2].next; CHK((*pp)->t); *pp = &pool[0]; CHK(pool[2].next->t);
  int arr[3][4]; int (*row)[4] = arr; for (int i = 0; i < 12; i++) (&arr[0][0])[i] = 0;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) arr[i][j] = i * 10 + j;
  CHK(row[1][2]); CHK((*(row + 2))[3]); CHK(*(*row + 1)); CHK(row + 2 - arr); CHK(sizeof *row);
  int *flat = &arr[0][0]; CHK(flat[3]);
  CHK(&arr[2][1] - &arr[2][0]); CHK(&arr[1] - &arr[0]); CHK((char*)&arr[1] - (char*)arr);
  int **dp; int *a1 = arr[0], *a2 = arr[2]; int *tab[2] = { a1, a2 }; dp = tab; CHK(dp[1][1]); CHK(**++dp);
  return 0;
}
