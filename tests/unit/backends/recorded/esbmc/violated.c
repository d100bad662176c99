/* The inputs are -3, 200, 1, the bits of -0.25f, of a pointer, of two bytes of fresh memory, and of 5 in three bits. */
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void *malloc(__SIZE_TYPE__);
unsigned long long __CSEQ_input;
typedef unsigned _BitInt(3) __CSEQ_bits_3;
signed char __VERIFIER_nondet_schar(void);
static signed char __CSEQ_nondet_schar(void) { signed char any = __VERIFIER_nondet_schar(); __CSEQ_input = any; return any; }
unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char __CSEQ_nondet_uchar(void) { unsigned char any = __VERIFIER_nondet_uchar(); __CSEQ_input = any; return any; }
static _Bool __CSEQ_nondet_bool(void) { return __CSEQ_nondet_uchar() & 1; }
unsigned int __VERIFIER_nondet_uint(void);
static unsigned int __CSEQ_nondet_uint(void) { unsigned int any = __VERIFIER_nondet_uint(); __CSEQ_input = any; return any; }
static float __CSEQ_nondet_float(void) { union { unsigned int bits; float value; } u; u.bits = __CSEQ_nondet_uint(); return u.value; }
static void *__CSEQ_nondet_pointer(void) { void *any; unsigned long bits = (unsigned long)any; __CSEQ_input = bits; return any; }
static void __CSEQ_fresh(void *block, unsigned long size) { for (unsigned long i = 0; i < size; i++) { unsigned char any = ((unsigned char *)block)[i]; __CSEQ_input = any; } }
__CSEQ_bits_3 __VERIFIER_nondet_bits_3(void);
static __CSEQ_bits_3 __CSEQ_nondet_bits_3(void) { __CSEQ_bits_3 any = __VERIFIER_nondet_bits_3(); __CSEQ_input = any; return any; }
int main(void)
{
  signed char first = __CSEQ_nondet_schar();
  unsigned char second = __CSEQ_nondet_uchar();
  _Bool third = __CSEQ_nondet_bool();
  float fourth = __CSEQ_nondet_float();
  char *fifth = __CSEQ_nondet_pointer();
  char *sixth = malloc(2);
  __CSEQ_fresh(sixth, 2);
  __CSEQ_bits_3 seventh = __CSEQ_nondet_bits_3();
  __ESBMC_assume(first == -3 && third && fourth == -0.25f && fifth == 0);
  __ESBMC_assume(sixth[0] == 'a' && sixth[1] == -1 && seventh == 5);
  __ESBMC_assert(first < 0, "assertion `first < 0`");
  __ESBMC_assert(second != 200, "assertion `second != 200 && \"it\"`");
  return 0;
}
