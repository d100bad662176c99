/* the environment as a parameter of main
 * --memsafety */
int main(int argc, char **argv, char **environment) // REFUSED: the environment as a parameter of main, where memory is checked, is not supported
{
    return environment[0] != 0;
}
