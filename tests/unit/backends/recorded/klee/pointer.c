int a[4];
int main(void)
{
  int i = __CSEQ_nondet_int();
  __CSEQ_assume(i >= 0 && i < 6);
  a[i] = 1;
  __CSEQ_assert(a[2] == 0, "assertion `a[2] == 0`");
}
