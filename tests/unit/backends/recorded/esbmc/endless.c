/* ESBMC never stops to unroll the loop. */
void __ESBMC_assert(_Bool, const char *);
unsigned int __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned int bound = __VERIFIER_nondet_uint(), sum = 0;
  for (unsigned int i = 0; i < bound; i++)
    sum += i;
  __ESBMC_assert(sum != 3, "assertion `sum != 3`");
  return 0;
}
