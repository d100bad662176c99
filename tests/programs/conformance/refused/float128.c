/* `_Float128`, decimal types
 */
int main(void)
{
    _Float128 x = 1; // REFUSED: the type `_Float128` is not supported
    return x - 1;
}
