/* What sorting needs of elements whose type is not known (modules/core/three_address/sorting.py). One step. */

void __cs_swap(void *left, void *right, unsigned long size) {
    void **a = left, **b = right, *word;
    unsigned char *c = left, *d = right, byte;
    unsigned long at = 0;
    while (at < 64 && (at + 1) * sizeof(void *) <= size) {
        word = a[at];
        a[at] = b[at];
        b[at] = word;
        at++;
    }
    __CSEQ_unwound(at < 64, ELEMENT, 252);
    at = at * sizeof(void *);
    while (at < 512 && at < size) {
        byte = c[at];
        c[at] = d[at];
        d[at] = byte;
        at++;
    }
}
