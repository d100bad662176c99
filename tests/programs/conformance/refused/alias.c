/* the attribute alias, of something that is not defined in the same file
 */
int other(void) __attribute__((alias("real"))); // REFUSED: an alias of `real`, which is not defined here

int main(void)
{
    return other();
}
