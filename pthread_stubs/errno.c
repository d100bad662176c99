/* Error numbers, those of Linux, and errno: one per thread. */

enum { __CSEQ_EPERM = 1, __CSEQ_ENOENT = 2, __CSEQ_ESRCH = 3, __CSEQ_EAGAIN = 11, __CSEQ_EBUSY = 16, __CSEQ_EEXIST = 17 };
enum { __CSEQ_EINVAL = 22, __CSEQ_EMFILE = 24, __CSEQ_EDEADLK = 35, __CSEQ_EOVERFLOW = 75, __CSEQ_ENOTSUP = 95 };
enum { __CSEQ_EINTR = 4, __CSEQ_EBADF = 9, __CSEQ_EPIPE = 32, __CSEQ_ENOSYS = 38 };
enum { __CSEQ_ETIMEDOUT = 110, __CSEQ_EOWNERDEAD = 130, __CSEQ_ENOTRECOVERABLE = 131 };

int __cs_errno[__CSEQ_THREADS];

int *__errno_location(void) {
    return &__cs_errno[__CSEQ_thread];
}
