static int deep(int i) { return deep(i + 1) + 1; }
int main(void)
{
  __CSEQ_assert(deep(0) > 0, "assertion `deep(0) > 0`");
}
