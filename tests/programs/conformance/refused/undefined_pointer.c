/* a function that is not defined, called through a pointer
 */
int strange(int n);

int (*pointer)(int) = strange;

int main(void)
{
    return pointer(1); // REFUSED: `strange`, which a call through a pointer may lead to, is not defined
}
