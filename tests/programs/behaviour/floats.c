/* Floating point: conversions both ways, comparison, mixed arithmetic, loops that count in fractions. */
#include "show.h"

double d = 2.5;
float f = 0.1f;
int n = 7;

static double half(double value)
{
    return value / 2;
}

static int round_up(float value)
{
    int whole = value;

    return whole < value ? whole + 1 : whole;
}

int main(void)
{
    double sum = 0;

    show(d * 4);
    show(n / 2 + n / 2.0);
    show(half(n) * 10);
    show(half(half(n)) * 100);
    show(round_up(d) * 10 + round_up(4));
    n += 0.9;
    show(n);
    n *= 1.5;
    show(n);
    d++;
    show(d-- * 2);
    show(-d * 10);
    show(f + 0.1 > 0.2);
    show(f == 0.1);
    show((float)0.1 == f);
    show(!d + !!f);
    show((n > 5 ? d : n) * 8);
    show(d > 2 && f < 1);
    for (double x = 0; x < 2; x += 0.5)
        sum += x * x;
    show(sum * 1000);
    show(1e3 + 0x1p4 + .5f * 2 + 1.);
    show((unsigned char)(d * 100));
    return 0;
}
