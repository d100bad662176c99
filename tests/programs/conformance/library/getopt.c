/* getopt
 * --rounds 1 --unwind 4 --args "-v x -n12" */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
#include "../twins.h"

int main(int argc, char **argv)
{
    int option, verbose = 0, number = 0;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        if (option == 'v')
            verbose++;
        if (option == 'n')
            number = atoi(optarg);
    }
    BUGGY(number += optopt == '?';)
    assert(verbose == 1 && number == 12 && optind == 3 && argv[3][0] == 'x'); // FAIL
    return 0;
}
