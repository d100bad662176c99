/* the attribute alias
 */
int real(void)
{
    return 0;
}

int other(void) __attribute__((alias("real"))); // REFUSED: the attribute `alias` is not supported

int main(void)
{
    return other();
}
