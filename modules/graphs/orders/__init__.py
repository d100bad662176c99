"""Other memory orders for a program: stronger ones that repair it, and the weakest with which it is still proved."""
