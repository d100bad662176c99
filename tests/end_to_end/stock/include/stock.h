#ifndef STOCK_H
#define STOCK_H

/* Whether there was something to take, which is taken. */
int take(void);

int left(void);

#endif
