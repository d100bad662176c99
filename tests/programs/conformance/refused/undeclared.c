/* a function of the thread library that no header declares
 * --rounds 1 */
int main(void)
{
    unsigned long t;
    pthread_create(&t, 0, 0, 0); // REFUSED: `pthread_create` is called, but <pthread.h> is not included
    return 0;
}
