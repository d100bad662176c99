/* Floating-point numbers: exact functions are computed, and alike in engines and replay. One step each. */

double fabs(double x) {
    return x == 0 ? 0.0 : x < 0 ? -x : x;
}

double trunc(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    double whole = (long long)x;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double floor(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    double whole = (long long)x;
    return whole > x ? whole - 1.0 : whole;
}

double ceil(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    double whole = (long long)x;
    whole = whole < x ? whole + 1.0 : whole;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double round(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    double whole = (long long)x;
    if (x - whole >= 0.5)
        return whole + 1.0;
    if (whole - x >= 0.5)
        return whole - 1.0;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

long lround(double x) {
    double whole = (long)x;
    return x - whole >= 0.5 ? (long)x + 1 : whole - x >= 0.5 ? (long)x - 1 : (long)x;
}

long long llround(double x) {
    double whole = (long long)x;
    return x - whole >= 0.5 ? (long long)x + 1 : whole - x >= 0.5 ? (long long)x - 1 : (long long)x;
}

double fmin(double x, double y) {
    return x != x ? y : y != y ? x : x < y ? x : y;
}

double fmax(double x, double y) {
    return x != x ? y : y != y ? x : x > y ? x : y;
}

double fdim(double x, double y) {
    return x != x || y != y ? x + y : x > y ? x - y : 0.0;
}

float fabsf(float x) {
    return x == 0 ? 0.0f : x < 0 ? -x : x;
}

float truncf(float x) {
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    float whole = (long long)x;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float floorf(float x) {
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    float whole = (long long)x;
    return whole > x ? whole - 1.0f : whole;
}

float ceilf(float x) {
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    float whole = (long long)x;
    whole = whole < x ? whole + 1.0f : whole;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float roundf(float x) {
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    float whole = (long long)x;
    if (x - whole >= 0.5f)
        return whole + 1.0f;
    if (whole - x >= 0.5f)
        return whole - 1.0f;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

long lroundf(float x) {
    float whole = (long)x;
    return x - whole >= 0.5f ? (long)x + 1 : whole - x >= 0.5f ? (long)x - 1 : (long)x;
}

long long llroundf(float x) {
    float whole = (long long)x;
    return x - whole >= 0.5f ? (long long)x + 1 : whole - x >= 0.5f ? (long long)x - 1 : (long long)x;
}

float fminf(float x, float y) {
    return x != x ? y : y != y ? x : x < y ? x : y;
}

float fmaxf(float x, float y) {
    return x != x ? y : y != y ? x : x > y ? x : y;
}

float fdimf(float x, float y) {
    return x != x || y != y ? x + y : x > y ? x - y : 0.0f;
}

double rint(double x) {
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    double whole = (long long)x, part = x - whole;
    long long odd = (long long)x & 1;
    if (part > 0.5 || (part == 0.5 && odd))
        return whole + 1.0;
    if (part < -0.5 || (part == -0.5 && odd))
        return whole - 1.0;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double nearbyint(double x) {
    return rint(x);
}

long lrint(double x) {
    return (long)rint(x);
}

long long llrint(double x) {
    return (long long)rint(x);
}

/* The sign of zero is that of its bits. */
double copysign(double x, double y) {
    int negative = y < 0 || (y == 0 && *(const long long *)&y < 0);
    double size = fabs(x);
    return negative ? -size : size;
}

float rintf(float x) {
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    float whole = (long long)x, part = x - whole;
    long long odd = (long long)x & 1;
    if (part > 0.5f || (part == 0.5f && odd))
        return whole + 1.0f;
    if (part < -0.5f || (part == -0.5f && odd))
        return whole - 1.0f;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float nearbyintf(float x) {
    return rintf(x);
}

long lrintf(float x) {
    return (long)rintf(x);
}

long long llrintf(float x) {
    return (long long)rintf(x);
}

/* The sign of zero is that of its bits. */
float copysignf(float x, float y) {
    int negative = y < 0 || (y == 0 && *(const int *)&y < 0);
    float size = fabsf(x);
    return negative ? -size : size;
}
