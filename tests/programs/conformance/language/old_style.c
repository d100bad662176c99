/* definitions and declarations in the old style of Kernighan and Ritchie
 * --rounds 2 */
#include "../program.h"

int balance();
int account = 100;

withdraw(amount, checked)
    int amount;
    char checked;
{
    int before = account;

    if (checked && amount > before)
        return 0;
    account = before - amount;
    return amount;
}

void *worker(arg)
    void *arg;
{
    withdraw(60, 1);
    return arg;
}

int main()
{
    START(t, worker);
    REPAIRED(pthread_join(t, 0);)
    withdraw(30, 257);
    BUGGY(pthread_join(t, 0);)
    assert(balance() == 10); // FAIL
    return 0;
}

int balance()
{
    return account;
}
