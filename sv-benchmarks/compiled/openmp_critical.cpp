/*
 * Two OpenMP sections change a balance, each in a critical region; but these have different names.
 *
 *   both: are about to load and to store the balance
 */
#include <cassert>

static int balance = 10;

static void deposit()
{
#pragma omp critical(deposits)
    balance += 5; // RACE
}

static void withdraw()
{
#pragma omp critical(withdrawals)
    balance -= 3; // RACE
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
    assert(balance == 12 || balance == 15 || balance == 7);
}
