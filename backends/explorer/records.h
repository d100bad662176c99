/* The words with which a program that is replayed reports what it does, one line each. Numbers follow the word, in
 * hexadecimal digits, or a text does. `backends/records.py` has their meanings, and decodes them. */

#ifndef CSEQ_RECORDS_H
#define CSEQ_RECORDS_H

#define __CSEQ_RECORD_AT "at"
#define __CSEQ_RECORD_VALUE "value"
#define __CSEQ_RECORD_MEMORY "memory"
#define __CSEQ_RECORD_MISSING "missing"
#define __CSEQ_RECORD_THREAD "thread"
#define __CSEQ_RECORD_TURN "turn"
#define __CSEQ_RECORD_ASKED "asked"
#define __CSEQ_RECORD_PLACE "place"
#define __CSEQ_RECORD_ACCESS "access"
#define __CSEQ_RECORD_CHANGED "changed"
#define __CSEQ_RECORD_UNWRITTEN "unwritten"
#define __CSEQ_RECORD_ORDER "order"
#define __CSEQ_RECORD_INVARIANT "invariant"
#define __CSEQ_RECORD_STATE "state"
#define __CSEQ_RECORD_REPEATS "repeats"
#define __CSEQ_RECORD_BLOCKED "blocked"
#define __CSEQ_RECORD_FAILED "failed"
#define __CSEQ_RECORD_DROPPED "dropped"
#define __CSEQ_RECORD_CRASHED "crashed"
#define __CSEQ_RECORD_CUT "cut"
#define __CSEQ_RECORD_REFUSED "refused"
#define __CSEQ_RECORD_ENDED "ended"

#endif
