#include "../assert.h"
