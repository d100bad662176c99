/* computed `goto` */
int main(void)
{
    void *next = &&end; // REFUSED: not supported
    goto *next;
end:
    return 0;
}
