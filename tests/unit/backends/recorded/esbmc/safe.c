void __ESBMC_assert(_Bool, const char *);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
  unsigned char any = __VERIFIER_nondet_uchar();
  __ESBMC_assert(any < 256, "assertion `any < 256`");
  return 0;
}
