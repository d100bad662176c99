/* What the two units of this program know of each other. */
#ifndef SHARED_H
#define SHARED_H

void add(int amount);
int total(void);

#endif
