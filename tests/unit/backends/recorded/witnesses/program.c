extern void abort(void);
void reach_error(void) { __assert_fail("0", "program.c", 2, "reach_error"); abort(); }
void __VERIFIER_assume(int holds) { if (!holds) abort(); }
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long __VERIFIER_nondet_longlong(void);
static int some(void)
{
  int some = __VERIFIER_nondet_int();
  return some;
}
int sum;
int twice[2];
int main(void)
{
  unsigned char byte = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(byte == 200);
  int unused = __VERIFIER_nondet_int();
  if (!(byte > 7)) reach_error(); /* assertion `byte > 7` */
  twice[0] = some();
  twice[1] = some();
  long long large = __VERIFIER_nondet_longlong();
  __VERIFIER_assume(large == -5000000000);
  sum = twice[0] - twice[1];
  if (!(sum != -3 || twice[0] != 4 || large > 0)) reach_error(); /* assertion `sum` */
  return 0;
}
