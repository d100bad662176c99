/* initialisers of flexible array members of objects that are declared before
 */
struct text { int length; char data[]; };

extern struct text greeting;
struct text greeting = {2, "hi"}; // REFUSED: an initialiser for a flexible array member is not supported

int main(void)
{
    return greeting.length - 2;
}
