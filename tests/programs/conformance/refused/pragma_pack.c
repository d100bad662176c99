/* `#pragma pack` */
int main(void)
{
#pragma pack(1) // REFUSED: `#pragma pack` is not supported
    struct {
        char tag;
        int value;
    } pair = {1, 2};
    return pair.value;
}
