double sin(double);
int main(void)
{
  __CSEQ_assert(sin(1) < 1, "assertion `sin(1) < 1`");
}
