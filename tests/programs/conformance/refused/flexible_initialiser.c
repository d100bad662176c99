/* initialisers of flexible array members
 */
struct text { int length; char data[]; };

static struct text greeting = {2, "hi"}; // REFUSED: an initialiser for a flexible array member is not supported

int main(void)
{
    return greeting.length - 2;
}
