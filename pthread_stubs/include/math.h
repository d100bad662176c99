#ifndef _CSEQ_MATH_H
#define _CSEQ_MATH_H
typedef float float_t;
typedef double double_t;
#define HUGE_VAL (1.0 / 0.0)
#define INFINITY (1.0f / 0.0f)
#define NAN (0.0f / 0.0f)
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) - (x) != 0 && (x) == (x))
#define isfinite(x) ((x) - (x) == 0)
#define isgreater(x, y) ((x) > (y))
#define isless(x, y) ((x) < (y))
/* real: a type. suffix: what the names of its functions end with. */
#define __CSEQ_MATH(real, suffix) \
    real sin##suffix(real __x); \
    real cos##suffix(real __x); \
    real tan##suffix(real __x); \
    real asin##suffix(real __x); \
    real acos##suffix(real __x); \
    real atan##suffix(real __x); \
    real sinh##suffix(real __x); \
    real cosh##suffix(real __x); \
    real tanh##suffix(real __x); \
    real asinh##suffix(real __x); \
    real acosh##suffix(real __x); \
    real atanh##suffix(real __x); \
    real exp##suffix(real __x); \
    real exp2##suffix(real __x); \
    real expm1##suffix(real __x); \
    real log##suffix(real __x); \
    real log2##suffix(real __x); \
    real log10##suffix(real __x); \
    real log1p##suffix(real __x); \
    real sqrt##suffix(real __x); \
    real cbrt##suffix(real __x); \
    real fabs##suffix(real __x); \
    real floor##suffix(real __x); \
    real ceil##suffix(real __x); \
    real trunc##suffix(real __x); \
    real round##suffix(real __x); \
    real rint##suffix(real __x); \
    real nearbyint##suffix(real __x); \
    real erf##suffix(real __x); \
    real erfc##suffix(real __x); \
    real tgamma##suffix(real __x); \
    real lgamma##suffix(real __x); \
    real logb##suffix(real __x); \
    real pow##suffix(real __x, real __y); \
    real atan2##suffix(real __x, real __y); \
    real fmod##suffix(real __x, real __y); \
    real remainder##suffix(real __x, real __y); \
    real hypot##suffix(real __x, real __y); \
    real fmin##suffix(real __x, real __y); \
    real fmax##suffix(real __x, real __y); \
    real fdim##suffix(real __x, real __y); \
    real copysign##suffix(real __x, real __y); \
    real nextafter##suffix(real __x, real __y); \
    real fma##suffix(real __x, real __y, real __z); \
    real ldexp##suffix(real __x, int __exponent); \
    real scalbn##suffix(real __x, int __exponent); \
    real frexp##suffix(real __x, int *__exponent); \
    real modf##suffix(real __x, real *__whole); \
    long lround##suffix(real __x); \
    long long llround##suffix(real __x); \
    long lrint##suffix(real __x); \
    int ilogb##suffix(real __x);
__CSEQ_MATH(double, )
__CSEQ_MATH(float, f)
__CSEQ_MATH(long double, l)
#undef __CSEQ_MATH
void sincos(double __x, double *__sine, double *__cosine);
#endif
