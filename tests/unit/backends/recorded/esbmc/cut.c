/* A loop that is let go 64 times, and may go on. */
void __ESBMC_assert(_Bool, const char *);
unsigned long __VERIFIER_nondet_ulong(void);
static void __CSEQ_fill(void *object, int byte, unsigned long size) { for (unsigned long i = 0; i < size; i++) ((unsigned char *)object)[i] = (unsigned char)byte; }
char text[100];
int main(void)
{
  __CSEQ_fill(text, 1, __VERIFIER_nondet_ulong() % 100);
  __ESBMC_assert(text[99] == 0, "assertion `text[99] == 0`");
  return 0;
}
