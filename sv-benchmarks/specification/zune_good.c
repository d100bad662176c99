/*
 * The clock driver of a music player turns the days since 1 January 1980 into a
 * year and a day in it.  Day 10593, the default, is 31 December 2008, on which
 * these players stopped (Weimer and others, Comm. ACM 53, 2010).
 *
 * On the last day of a leap year the loop is left.
 */
#include <assert.h>
#include <stdbool.h>

#ifndef DAYS
#define DAYS 10593
#endif

bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int main(void)
{
    int days = DAYS;
    int year = 1980;

    while (days > 365) {
        if (is_leap(year)) {
            if (days > 366) {
                days -= 366;
                year += 1;
            } else {
                break;
            }
        } else {
            days -= 365;
            year += 1;
        }
    }
    assert(days >= 1 && days <= 366);
    return 0;
}
