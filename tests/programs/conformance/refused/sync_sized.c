/* built-ins with a size in their names: `__sync_fetch_and_add_4`
 * --rounds 1 */
int number;

int main(void)
{
    return __sync_fetch_and_add_4(&number, 1); // REFUSED: `__sync_fetch_and_add_4` is not supported
}
