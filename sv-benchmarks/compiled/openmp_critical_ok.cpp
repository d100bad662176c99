/* Two OpenMP sections change a balance, each in a critical region of the same name. */
#include <cassert>

static int balance = 10;

static void deposit()
{
#pragma omp critical(account)
    balance += 5;
}

static void withdraw()
{
#pragma omp critical(account)
    balance -= 3;
}

int main()
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        deposit();
#pragma omp section
        withdraw();
    }
    assert(balance == 12);
}
