/* the attribute cleanup
 */
static void done(int *p)
{
    *p = 0;
}

int main(void)
{
    int x __attribute__((cleanup(done))) = 1; // REFUSED: the attribute `cleanup` is not supported
    return x - 1;
}
