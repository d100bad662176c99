/* What a program of this folder comes to is a list of numbers, which is compared. */
long long results[250];
int count;

static void show(long long value)
{
    results[count++] = value;
}
