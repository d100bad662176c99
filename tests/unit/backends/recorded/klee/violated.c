typedef unsigned int __CSEQ_bits_2;
typedef unsigned int __CSEQ_bits_3;
__CSEQ_bits_2 __cs_pc_1;
__CSEQ_bits_2 __cs_cs_1;
int steps;
static void thread(void)
{
  __cs_1_0:
  if ((__cs_pc_1 > 0) || (0 >= __cs_cs_1)) goto __cs_1_1;
  steps = steps * 2 + 1;
  __cs_1_1:
  if ((__cs_pc_1 > 1) || (1 >= __cs_cs_1)) goto __cs_1_2;
  steps = steps * 2 + __CSEQ_nondet_bool();
  __cs_1_2:
  if ((__cs_pc_1 > 2) || (2 >= __cs_cs_1)) goto __cs_1_3;
  steps = 0;
  __cs_1_3: ;
}
int main(void)
{
  unsigned char bytes[3];
  union { float value; unsigned int bits; } single;
  union { double value; unsigned long bits; } twice;
  __cs_cs_1 = __CSEQ_nondet_bits_2();
  __CSEQ_assume(__cs_cs_1 <= 3);
  thread();
  __cs_pc_1 = __cs_cs_1;
  __cs_cs_1 = __CSEQ_nondet_bits_2();
  __CSEQ_assume(__cs_cs_1 <= 3);
  __CSEQ_assume(__cs_cs_1 >= __cs_pc_1);
  thread();
  __cs_pc_1 = __cs_cs_1;
  __CSEQ_bits_3 bits = __CSEQ_nondet_bits_3();
  char c = __CSEQ_nondet_char();
  short s = __CSEQ_nondet_short();
  int i = __CSEQ_nondet_int();
  long l = __CSEQ_nondet_long();
  unsigned long long u = __CSEQ_nondet_ulonglong();
  __int128 wide = __CSEQ_nondet_int128();
  char *p = __CSEQ_nondet_pointer();
  single.value = __CSEQ_nondet_float();
  twice.value = __CSEQ_nondet_double();
  __CSEQ_havoc(bytes, 3);
  __CSEQ_assume(bits == 5 && c == -2 && s == -3 && i == -4 && l == -5 && u == 6);
  __CSEQ_assume(wide == 7 && p == (char *)8 && single.bits == 0x3f800000 && twice.bits == 9);
  __CSEQ_assert(!(steps == 3 && __cs_cs_1 == 2 && bytes[0] == 10 && bytes[1] == 0 && bytes[2] == 255), "assertion `steps != \"3\"`");
}
