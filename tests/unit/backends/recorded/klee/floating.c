int main(void)
{
  double d = __CSEQ_nondet_double();
  __CSEQ_assert(d + 1 != 3, "assertion `d + 1 != 3`");
}
