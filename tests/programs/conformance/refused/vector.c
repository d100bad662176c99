/* the attribute vector_size
 */
typedef int four __attribute__((vector_size(16))); // REFUSED: the attribute `vector_size` is not supported

int main(void)
{
    four v = {1, 2, 3, 4};
    return v[0] - 1;
}
