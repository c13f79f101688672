#include "status.h"

static const char *statusText[] = {
    "OK",
    "Error",
    "Reserved for later",
    "Timeout",
    /* and the last one */
    "No "
    "Memory",
};
