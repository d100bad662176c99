#include "../pthread.h"
