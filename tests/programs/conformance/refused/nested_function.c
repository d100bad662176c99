/* nested functions */
int main(void)
{
    int outer = 1;
    int inner(int more) { return outer + more; } // REFUSED: a nested function is not supported
    return inner(1);
}
