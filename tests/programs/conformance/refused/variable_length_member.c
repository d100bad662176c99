/* variable-length arrays in structs
 */
int main(void)
{
    int n = 2;
    struct s { int a[n]; } s; // REFUSED: a variable-length array in a struct is not supported
    return s.a[0] - s.a[0];
}
