/* What scanf does with the standard input that the user gives. One step each.
 *
 * Results: 1 if the input fits, 0 if it does not, -1 if it has ended. */

int __cs_scan_space(void) {
    int at = 0, going = 1;
    while (at < 256 && going) {
        char next = __cs_input_at < __cs_input_size ? __cs_input[__cs_input_at] : 'x';
        going = next == ' ' || (next >= '\t' && next <= '\r');
        __cs_input_at += going;
        at++;
    }
    __CSEQ_unwound(!going, INPUT_TEXT, 255);
    return 1;
}

int __cs_scan_character(int wanted) {
    if (__cs_input_at >= __cs_input_size) {
        __cs_input_ended = 1;
        return -1;
    }
    if (__cs_input[__cs_input_at] != (char)wanted)
        return 0;
    __cs_input_at++;
    return 1;
}

/* A number of at most `most` characters, in `*value`; what does not fit into `bits` bits is clamped. */
int __cs_scan_number(unsigned long long *value, int base, int most, int is_signed, int bits) {
    unsigned long long sum = 0, limit = bits == 64 ? 18446744073709551615ULL : 4294967295ULL, top = 0;
    int negative = 0, at = 0, digits = 0, going = 1, over = 0, begun = 0;
    __cs_scan_space();
    if (__cs_input_at >= __cs_input_size) {
        __cs_input_ended = 1;
        return -1;
    }
    while (at < 64 && going) {
        int byte = at < most && __cs_input_at < __cs_input_size ? (unsigned char)__cs_input[__cs_input_at] : -1;
        int digit = byte >= '0' && byte <= '9' ? byte - '0'
            : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
            : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : 99;
        if (byte == -1 && at < most)
            __cs_input_ended = 1;
        if (at == 0 && (byte == '-' || byte == '+')) {
            negative = byte == '-';
        } else if (begun == 1 && digits == 1 && (byte == 'x' || byte == 'X') && (base == 0 || base == 16)) {
            base = 16;
            begun = 2;
            digits = 0;
        } else {
            if (digits == 0 && begun == 0) {
                begun = byte == '0' ? 1 : 3;
                if (base == 0 && byte != '0')
                    base = 10;
            } else if (base == 0)
                base = 8;
            going = digit < (base == 0 ? 8 : base);
            if (going) {
                over |= sum > (limit - digit) / (base == 0 ? 8 : base);
                sum = sum * (base == 0 ? 8 : base) + digit;
                digits++;
            }
        }
        if (going)
            __cs_input_at++;
        at++;
    }
    __CSEQ_unwound(!going, NUMBER, 63);
    if (digits == 0)
        return 0;
    top = limit / 2 + negative;
    if (is_signed && (over || sum > top))
        sum = top;
    else if (over)
        sum = limit;
    *value = negative && (is_signed || !over) ? -sum : sum;
    return 1;
}

/* A text of at most `most` characters that are in the set, or are not, if `others`; put down if `to` is not null. */
int __cs_scan_text(char *to, unsigned long most, const char *set, unsigned long size, int others) {
    unsigned long at = 0, in = 0;
    int going = 1, turn = 0;
    if (__cs_input_at >= __cs_input_size) {
        __cs_input_ended = 1;
        return -1;
    }
    while (turn < 256 && going) {
        going = at < most;
        if (going && __cs_input_at >= __cs_input_size) {
            __cs_input_ended = 1;
            going = 0;
        }
        if (going) {
            char byte = __cs_input[__cs_input_at];
            in = 0;
            while (in < 256 && in < size && set[in] != byte)
                in++;
            going = (in < size) != others;
            if (going) {
                if (to != 0)
                    to[at] = byte;
                __cs_input_at++;
                at++;
            }
        }
        turn++;
    }
    __CSEQ_unwound(!going, INPUT_TEXT, 255);
    if (at == 0)
        return 0;
    if (to != 0)
        to[at] = 0;
    return 1;
}

int __cs_scan_bytes(char *to, unsigned long count) {
    unsigned long at = 0;
    while (at < 256 && at < count && __cs_input_at < __cs_input_size) {
        if (to != 0)
            to[at] = __cs_input[__cs_input_at];
        __cs_input_at++;
        at++;
    }
    __CSEQ_unwound(at < 256, INPUT_TEXT, 255);
    if (at < count)
        __cs_input_ended = 1;
    return at == 0 ? -1 : 1;
}
