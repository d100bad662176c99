extern int elsewhere;
int main(void)
{
  __CSEQ_assert(elsewhere == 0, "assertion `elsewhere == 0`");
}
