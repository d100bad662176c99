unsigned char take(void) { unsigned char __CSEQ_input; return __CSEQ_input; }
int main(void)
{
  signed char __CSEQ_input;
  unsigned char second = take();
  __CPROVER_assert(!(__CSEQ_input == -3 && second == 200), "assertion `second != 200`");
}
