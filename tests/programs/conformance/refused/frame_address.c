/* __builtin_frame_address, __builtin_return_address
 */
int main(void)
{
    return __builtin_frame_address(0) != 0; // REFUSED: `__builtin_frame_address` is not supported
}
