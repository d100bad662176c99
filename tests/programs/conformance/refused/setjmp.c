/* `setjmp` and `longjmp` */
typedef long jmp_buf[25];
int _setjmp(jmp_buf place);
void longjmp(jmp_buf place, int value);

jmp_buf place;

int main(void)
{
    if (_setjmp(place)) // REFUSED: `setjmp` is not supported
        return 1;
    longjmp(place, 1);
}
