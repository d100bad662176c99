/* Included by cseq-cc and cseq-c++ before each file. There is no token of C or C++ here but those of the library's own
 * header, so that precompiled headers can follow.
 */
#if defined __has_feature && defined __has_extension
#if __has_feature(thread_sanitizer)
/* A program must not see its hooks, or it would be another program, one that calls functions of ThreadSanitizer. Of
 * what a compiler has for a program to ask, __has_extension is the closest to __has_feature. */
#pragma GCC system_header
#define __cseq_hidden_thread_sanitizer 0,
#define __cseq_second(first, second, ...) second
#define __cseq_chosen(...) __cseq_second(__VA_ARGS__)
#define __has_feature(name) __cseq_chosen(__cseq_hidden_##name 0, __has_extension(name), 0)
#endif
#endif
#if defined __cplusplus && __cplusplus <= 201703L && defined __has_include
#if __has_include(<bits/c++config.h>)
/* Up to C++17 the functions of std::string are those that were compiled into libstdc++.so, which has no hooks: data
 * races on strings would not be seen. libstdc++ itself has a way to leave them to the program (its debug mode takes it);
 * from C++20 on it always does. */
#include <bits/c++config.h>
#if defined _GLIBCXX_EXTERN_TEMPLATE && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
#endif
#endif
