// expect: true
// data-model: LP64
// Sizes and offsets as gcc has them.
extern void reach_error(void);
static void f0(void) {
  struct S { int x; }; struct T { char c; struct S __attribute__((aligned(16))) s; };
  if (sizeof(struct T) != 32) reach_error();
  if (__builtin_offsetof(struct T,s) != 16) reach_error();
  if (_Alignof(struct T) != 16) reach_error();
}
static void f1(void) {
  struct S { int x; }; struct T { char c; struct __attribute__((aligned(16))) S s; };
  if (sizeof(struct T) != 8) reach_error();
  if (__builtin_offsetof(struct T,s) != 4) reach_error();
  if (_Alignof(struct T) != 4) reach_error();
}
static void f2(void) {
  struct S { int x; }; struct T { char c; __attribute__((aligned(16))) struct S s; };
  if (sizeof(struct T) != 32) reach_error();
  if (__builtin_offsetof(struct T,s) != 16) reach_error();
}
static void f3(void) {
  struct S { int x; }; struct T { char c; struct S s __attribute__((aligned(16))); };
  if (sizeof(struct T) != 32) reach_error();
  if (__builtin_offsetof(struct T,s) != 16) reach_error();
}
static void f4(void) {
  struct S { int x; }; struct T { char c; struct S const __attribute__((aligned(16))) s, t; };
  if (sizeof(struct T) != 48) reach_error();
  if (__builtin_offsetof(struct T,s) != 16) reach_error();
  if (__builtin_offsetof(struct T,t) != 32) reach_error();
}
static void f5(void) {
  union S { int x; char c; }; struct T { char c; union S __attribute__((aligned(8))) s; char d; };
  if (sizeof(struct T) != 16) reach_error();
  if (__builtin_offsetof(struct T,s) != 8) reach_error();
  if (__builtin_offsetof(struct T,d) != 12) reach_error();
}
static void f6(void) {
  enum E { A1, B1 }; struct T { char c; enum E __attribute__((aligned(8))) s; char d; };
  if (sizeof(struct T) != 16) reach_error();
  if (__builtin_offsetof(struct T,s) != 8) reach_error();
  if (__builtin_offsetof(struct T,d) != 12) reach_error();
}
static void f7(void) {
  enum E { A1, B1 } __attribute__((aligned(8))); struct T { char c; enum E s; char d; };
  if (sizeof(struct T) != 12) reach_error();
  if (__builtin_offsetof(struct T,s) != 4) reach_error();
  if (_Alignof(enum E) != 4) reach_error();
  if (sizeof(enum E) != 4) reach_error();
}
static void f8(void) {
  enum __attribute__((aligned(8))) E { A1, B1 }; struct T { char c; enum E s; };
  if (sizeof(struct T) != 8) reach_error();
  if (_Alignof(enum E) != 4) reach_error();
}
static void f9(void) {
  enum E { A1, B1 } __attribute__((mode(QI))); struct T { char c; enum E s; char d; };
  if (sizeof(struct T) != 3) reach_error();
  if (sizeof(enum E) != 1) reach_error();
  if (sizeof(A1) != 4) reach_error();
}
static void f10(void) {
  enum E { A1, B1 = 300 } __attribute__((mode(HI))); struct T { char c; enum E s; char d; };
  if (sizeof(struct T) != 6) reach_error();
  if (sizeof(enum E) != 2) reach_error();
}
static void f11(void) {
  enum E { A1, B1 } __attribute__((mode(DI))); struct T { char c; enum E s; char d; };
  if (sizeof(struct T) != 24) reach_error();
  if (sizeof(enum E) != 8) reach_error();
}
static void f12(void) {
  typedef enum { A1, B1 } E __attribute__((mode(QI))); struct T { char c; E s; char d; };
  if (sizeof(struct T) != 3) reach_error();
  if (sizeof(E) != 1) reach_error();
}
static void f13(void) {
  enum E { A1, B1 }; typedef enum E F __attribute__((mode(__QI__))); struct T { char c; F s; char d; };
  if (sizeof(struct T) != 3) reach_error();
  if (sizeof(F) != 1) reach_error();
}
static void f14(void) {
  enum E { A1=-1, B1 } __attribute__((packed)); struct T { char c; enum E s; char d; };
  if (sizeof(struct T) != 3) reach_error();
  if (sizeof(enum E) != 1) reach_error();
}
static void f15(void) {
  struct S { char a; int b; } __attribute__((packed)) __attribute__((aligned(4))); struct T { char c; struct S s; };
  if (sizeof(struct S) != 8) reach_error();
  if (sizeof(struct T) != 12) reach_error();
  if (_Alignof(struct S) != 4) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
}
static void f16(void) {
  struct S { char a; int b; } __attribute__((packed,aligned(2)));
  if (sizeof(struct S) != 6) reach_error();
  if (_Alignof(struct S) != 2) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
}
static void f17(void) {
  struct S { char a; int b __attribute__((packed)); short c; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
  if (__builtin_offsetof(struct S,c) != 6) reach_error();
}
static void f18(void) {
  struct S { char a; int __attribute__((packed)) b; short c; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
  if (__builtin_offsetof(struct S,c) != 6) reach_error();
}
static void f19(void) {
  struct S { char a; int b __attribute__((packed,aligned(2))); char c; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,b) != 2) reach_error();
  if (_Alignof(struct S) != 2) reach_error();
}
static void f20(void) {
  typedef int I __attribute__((aligned(16))); struct S { char a; I b; char c; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,b) != 16) reach_error();
  if (_Alignof(I) != 16) reach_error();
  if (sizeof(I) != 4) reach_error();
}
static void f21(void) {
  typedef int I __attribute__((aligned(2))); struct S { char a; I b; char c; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,b) != 2) reach_error();
  if (_Alignof(I) != 2) reach_error();
}
static void f22(void) {
  typedef int I __attribute__((aligned(1))); struct S { char a; I b; I c[2]; };
  if (sizeof(struct S) != 13) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
  if (__builtin_offsetof(struct S,c) != 5) reach_error();
}
static void f23(void) {
  typedef struct { int x; } R __attribute__((aligned(32))); struct S { char a; R r; };
  if (sizeof(struct S) != 64) reach_error();
  if (sizeof(R) != 4) reach_error();
  if (_Alignof(R) != 32) reach_error();
}
static void f24(void) {
  typedef struct { int x; } __attribute__((aligned(32))) R; struct S { char a; R r; };
  if (sizeof(struct S) != 64) reach_error();
  if (sizeof(R) != 32) reach_error();
  if (_Alignof(R) != 32) reach_error();
}
static void f25(void) {
  struct S { char a; _Alignas(8) char b; char c; };
  if (sizeof(struct S) != 16) reach_error();
  if (__builtin_offsetof(struct S,b) != 8) reach_error();
  if (__builtin_offsetof(struct S,c) != 9) reach_error();
}
static void f26(void) {
  struct S { char a; _Alignas(double) int b; _Alignas(0) char c; };
  if (sizeof(struct S) != 16) reach_error();
  if (__builtin_offsetof(struct S,b) != 8) reach_error();
  if (__builtin_offsetof(struct S,c) != 12) reach_error();
}
static void f27(void) {
  struct S { char a; _Alignas(4) _Alignas(16) short b; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,b) != 16) reach_error();
}
static void f28(void) {
  union U { char a; __attribute__((aligned(8))) char b; };
  if (sizeof(union U) != 8) reach_error();
  if (_Alignof(union U) != 8) reach_error();
}
static void f29(void) {
  union U { char a[3]; int b; } __attribute__((packed));
  if (sizeof(union U) != 4) reach_error();
  if (_Alignof(union U) != 1) reach_error();
}
static void f30(void) {
  union U { char a[3]; int b __attribute__((packed)); };
  if (sizeof(union U) != 4) reach_error();
  if (_Alignof(union U) != 1) reach_error();
}
static void f31(void) {
  union U { char a[3]; short b; } __attribute__((aligned(8))); struct T { char c; union U u; };
  if (sizeof(union U) != 8) reach_error();
  if (sizeof(struct T) != 16) reach_error();
}
static void f32(void) {
  struct S { char a; struct { int b; } __attribute__((packed)) i; char c; };
  if (sizeof(struct S) != 6) reach_error();
  if (__builtin_offsetof(struct S,i) != 1) reach_error();
  if (__builtin_offsetof(struct S,c) != 5) reach_error();
}
static void f33(void) {
  struct S { char a; struct { char p; int b; } __attribute__((packed)) i; int c; };
  if (sizeof(struct S) != 12) reach_error();
  if (__builtin_offsetof(struct S,i) != 1) reach_error();
  if (__builtin_offsetof(struct S,c) != 8) reach_error();
}
static void f34(void) {
  struct S { char a; struct { char p; int b; } i __attribute__((aligned(8))); int c; };
  if (sizeof(struct S) != 24) reach_error();
  if (__builtin_offsetof(struct S,i) != 8) reach_error();
  if (__builtin_offsetof(struct S,c) != 16) reach_error();
}
static void f35(void) {
  struct S { char a; struct { char p; int b; } __attribute__((aligned(8))); int c; };
  if (sizeof(struct S) != 24) reach_error();
  if (__builtin_offsetof(struct S,p) != 8) reach_error();
  if (__builtin_offsetof(struct S,c) != 16) reach_error();
}
static void f36(void) {
  struct S { char a; int b:5 __attribute__((aligned(4))); int c:3; };
  if (sizeof(struct S) != 8) reach_error();
}
static void f37(void) {
  struct S { char a; int b:5; int c:30 __attribute__((packed)); char d; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,d) != 6) reach_error();
}
static void f38(void) {
  struct S { char a; double d; long double l; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,d) != 8) reach_error();
  if (__builtin_offsetof(struct S,l) != 16) reach_error();
}
static void f39(void) {
  struct S { char a; double __attribute__((aligned(8))) d; };
  if (sizeof(struct S) != 16) reach_error();
  if (__builtin_offsetof(struct S,d) != 8) reach_error();
}
static void f40(void) {
  struct S { char a; int *__attribute__((aligned(16))) p; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,p) != 16) reach_error();
}
static void f41(void) {
  struct S { char a; int __attribute__((aligned(16))) *p; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,p) != 16) reach_error();
}
static void f42(void) {
  typedef int I __attribute__((aligned(16))); struct S { char a; I *p; };
  if (sizeof(struct S) != 16) reach_error();
  if (__builtin_offsetof(struct S,p) != 8) reach_error();
}
static void f43(void) {
  struct S { char a; int __attribute__((aligned(16))) p, q; };
  if (sizeof(struct S) != 48) reach_error();
  if (__builtin_offsetof(struct S,p) != 16) reach_error();
  if (__builtin_offsetof(struct S,q) != 32) reach_error();
}
static void f44(void) {
  struct S { char a; int p __attribute__((aligned(16))), q; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,p) != 16) reach_error();
  if (__builtin_offsetof(struct S,q) != 20) reach_error();
}
static void f45(void) {
  struct S { char a; int __attribute__((aligned)) p; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,p) != 16) reach_error();
}
static void f46(void) {
  struct S { char a; int p[3] __attribute__((aligned(8))); };
  if (sizeof(struct S) != 24) reach_error();
  if (__builtin_offsetof(struct S,p) != 8) reach_error();
}
static void f47(void) {
  typedef unsigned U __attribute__((mode(DI))); struct S { char a; U u; };
  if (sizeof(struct S) != 16) reach_error();
  if (sizeof(U) != 8) reach_error();
}
static void f48(void) {
  struct S { char a; int u __attribute__((mode(QI))); int v; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,v) != 4) reach_error();
}
static void f49(void) {
  struct S { char a; int __attribute__((mode(DI))) u; };
  if (sizeof(struct S) != 16) reach_error();
  if (sizeof(((struct S*)0)->u) != 8) reach_error();
}
static void f50(void) {
  typedef float D __attribute__((mode(DF))); struct S { char a; D u; };
  if (sizeof(struct S) != 16) reach_error();
  if (sizeof(D) != 8) reach_error();
}
static void f51(void) {
#pragma pack(push,2)
  struct S { char a; int b; __attribute__((aligned(8))) char c; };
#pragma pack(pop)
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,b) != 2) reach_error();
  if (__builtin_offsetof(struct S,c) != 6) reach_error();
}
static void f52(void) {
  struct S { int x; } __attribute__((aligned(16))); struct S a2[2]; struct T { struct S s[2]; char c; };
  if (sizeof(a2) != 32) reach_error();
  if (sizeof(struct T) != 48) reach_error();
}
static void f53(void) {
  struct S { char a; short b; } __attribute__((__packed__, __aligned__(1)));
  if (sizeof(struct S) != 3) reach_error();
  if (_Alignof(struct S) != 1) reach_error();
}
static void f54(void) {
  struct I2 { char a; int b; }; struct S { char a; struct I2 __attribute__((packed)) b; };
  if (sizeof(struct S) != 9) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
}
static void f55(void) {
  struct S { char a; struct I2 { char a; int b; } __attribute__((aligned(1))) b; };
  if (sizeof(struct S) != 12) reach_error();
  if (__builtin_offsetof(struct S,b) != 4) reach_error();
}
static void f56(void) {
  extern int v __attribute__((aligned(64))); struct S { char c; __typeof__(v) w; };
  if (sizeof(struct S) != 8) reach_error();
  if (__builtin_offsetof(struct S,w) != 4) reach_error();
}
static void f57(void) {
  typedef int I __attribute__((aligned(16))); typedef I J; struct S { char c; J w; const I z; };
  if (sizeof(struct S) != 48) reach_error();
  if (__builtin_offsetof(struct S,w) != 16) reach_error();
  if (__builtin_offsetof(struct S,z) != 32) reach_error();
}
static void f58(void) {
  typedef int I __attribute__((aligned(16))); struct S { char c; __typeof__(I) w; };
  if (sizeof(struct S) != 32) reach_error();
  if (__builtin_offsetof(struct S,w) != 16) reach_error();
}
static void f59(void) {
  struct S { char c; enum { X1, Y1 } __attribute__((packed)) e; char d; };
  if (sizeof(struct S) != 3) reach_error();
  if (__builtin_offsetof(struct S,d) != 2) reach_error();
}
static void f60(void) {
  struct S { char c; enum { X1, Y1 } e __attribute__((packed)); char d; };
  if (sizeof(struct S) != 6) reach_error();
  if (__builtin_offsetof(struct S,d) != 5) reach_error();
}
static void f61(void) {
  enum E { A1, B1 }; struct T { char c; enum E __attribute__((mode(QI))) s; char d; };
  if (sizeof(struct T) != 3) reach_error();
}
static void f62(void) {
  typedef long long L __attribute__((aligned(4))); struct S { char c; L l; };
  if (sizeof(struct S) != 12) reach_error();
  if (__builtin_offsetof(struct S,l) != 4) reach_error();
}
static void f63(void) {
  struct S { char c; _Atomic long long l; };
  if (sizeof(struct S) != 16) reach_error();
  if (__builtin_offsetof(struct S,l) != 8) reach_error();
}
static void f64(void) {
  struct B { char c[3]; }; struct S { char c; _Atomic struct B b; char d; };
  if (sizeof(struct S) != 5) reach_error();
  if (__builtin_offsetof(struct S,b) != 1) reach_error();
  if (sizeof(_Atomic struct B) != 3) reach_error();
}
static void f65(void) {
  struct B { char c[8]; }; struct S { char c; _Atomic(struct B) b; char d; };
  if (sizeof(struct S) != 24) reach_error();
  if (__builtin_offsetof(struct S,b) != 8) reach_error();
}
int main(void) {
  f0();
  f1();
  f2();
  f3();
  f4();
  f5();
  f6();
  f7();
  f8();
  f9();
  f10();
  f11();
  f12();
  f13();
  f14();
  f15();
  f16();
  f17();
  f18();
  f19();
  f20();
  f21();
  f22();
  f23();
  f24();
  f25();
  f26();
  f27();
  f28();
  f29();
  f30();
  f31();
  f32();
  f33();
  f34();
  f35();
  f36();
  f37();
  f38();
  f39();
  f40();
  f41();
  f42();
  f43();
  f44();
  f45();
  f46();
  f47();
  f48();
  f49();
  f50();
  f51();
  f52();
  f53();
  f54();
  f55();
  f56();
  f57();
  f58();
  f59();
  f60();
  f61();
  f62();
  f63();
  f64();
  f65();
  return 0;
}
