/*
 * The clock of a music player turns the days since 1 January 1980 into a year
 * and a day in it, as the players did that stopped on 31 December 2008.
 *
 * On the last day of a leap year, the loop ends.  Days around 31 December 1984,
 * which is day 1827.
 */
#include <assert.h>
#include <stdbool.h>

#ifndef FIRST
#define FIRST 1650
#endif
#ifndef LAST
#define LAST 1900
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int main(void)
{
    int days = __VERIFIER_nondet_int();
    int year = 1980;

    __VERIFIER_assume(days >= FIRST && days <= LAST);
    while (days > 365) {
        if (is_leap(year)) {
            if (days == 366)
                break;
            days -= 366;
            year++;
        } else {
            days -= 365;
            year++;
        }
    }
    assert(days >= 1 && days <= 366);
    return 0;
}
