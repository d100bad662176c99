/* attribute constructor: a function that runs before main
 * --rounds 1
 */
int x;

__attribute__((constructor)) static void early(void) // REFUSED: the attribute `constructor`
{
    x = 1;
}

int main(void)
{
    return x;
}
