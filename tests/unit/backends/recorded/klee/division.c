int main(void)
{
  int i = __CSEQ_nondet_int();
  __CSEQ_assert(i == 0 || 6 / i != 7, "assertion `6 / i != 7`");
  int ratio = 6 / i;
}
