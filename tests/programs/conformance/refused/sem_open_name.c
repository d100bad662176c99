/* sem_open with a name that is not a literal */
#include <fcntl.h>
#include <semaphore.h>

int main(int argc, char **argv)
{
    sem_t *place = sem_open(argv[0], O_CREAT, 0600, 1); // REFUSED: the name of a semaphore that is not a literal
    return place == SEM_FAILED;
}
