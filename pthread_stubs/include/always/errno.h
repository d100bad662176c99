#include "../errno.h"
