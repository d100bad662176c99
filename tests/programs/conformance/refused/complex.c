/* `_Complex`
 */
int main(void)
{
    double _Complex z = 1; // REFUSED: `_Complex` is not supported
    return z == 1 ? 0 : 1;
}
