/* The options of a program. One step each.
 *
 * As with glibc, what is no option moves behind the options, unless the first character of `options` says otherwise:
 * `+` ends the options there, `-` returns 1 for it. Nothing is printed. */

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* The rest of a word with several options; the words that have been passed over: from the first to before the last. */
char *__cs_option_rest;
int __cs_passed_first;
int __cs_passed_last;
int __cs_options_begun;

/* Moves the words from `__cs_passed_last` to before `optind` in front of those that have been passed over. */
void __cs_move_options(char **words) {
    int from = 0, at = 0;
    while (from < 16 && from < optind) {
        if (from >= __cs_passed_last) {
            char *word = words[from];
            at = 15;
            while (at > 0) {
                if (at > __cs_passed_first && at <= from)
                    words[at] = words[at - 1];
                at--;
            }
            words[__cs_passed_first] = word;
            __cs_passed_first++;
        }
        from++;
    }
    __cs_passed_last = optind;
}

/* Finds the next word with options: 0 if there is one, -1 if there is none, 1 for a word that is no option. */
int __cs_next_options(int count, char **words, char mode) {
    int passing = 1, turn = 0;
    if (__cs_passed_last > optind)
        __cs_passed_last = optind;
    if (__cs_passed_first > optind)
        __cs_passed_first = optind;
    if (mode == 0) {
        if (__cs_passed_first == __cs_passed_last)
            __cs_passed_first = optind;
        else if (__cs_passed_last != optind)
            __cs_move_options(words);
        while (turn < 16 && passing) {
            passing = optind < count && (words[optind][0] != '-' || words[optind][1] == 0);
            optind += passing;
            turn++;
        }
        __cs_passed_last = optind;
    }
    if (optind < count && words[optind][0] == '-' && words[optind][1] == '-' && words[optind][2] == 0) {
        optind++;
        if (__cs_passed_first == __cs_passed_last)
            __cs_passed_first = optind;
        else if (__cs_passed_last != optind)
            __cs_move_options(words);
        __cs_passed_last = count;
        optind = count;
    }
    if (optind >= count) {
        if (__cs_passed_first != __cs_passed_last)
            optind = __cs_passed_first;
        return -1;
    }
    if (words[optind][0] != '-' || words[optind][1] == 0) {
        if (mode == '+')
            return -1;
        optarg = words[optind];
        optind++;
        return 1;
    }
    __cs_option_rest = words[optind] + 1;
    return 0;
}

int getopt(int count, char *const words[], const char *options) {
    char mode = options[0] == '+' || options[0] == '-' ? options[0] : 0, option = 0;
    int found = 0;
    __CSEQ_unwound(count <= 16, ARGUMENTS, 15);
    if (count < 1 || count > 16)
        return -1;
    optarg = 0;
    if (optind == 0 || !__cs_options_begun) {
        optind = optind == 0 ? 1 : optind;
        __cs_passed_first = optind;
        __cs_passed_last = optind;
        __cs_option_rest = 0;
        __cs_options_begun = 1;
    }
    if (mode != 0)
        options++;
    if (__cs_option_rest == 0 || *__cs_option_rest == 0) {
        found = __cs_next_options(count, (char **)words, mode);
        if (found != 0)
            return found;
    }
    option = *__cs_option_rest;
    __cs_option_rest++;
    if (*__cs_option_rest == 0)
        optind++;
    const char *known = strchr(options, option);
    if (known == 0 || option == ':' || option == ';') {
        optopt = option;
        return '?';
    }
    if (known[1] != ':')
        return option;
    if (*__cs_option_rest != 0) {
        optarg = __cs_option_rest;
        optind++;
    } else if (known[2] != ':' && optind >= count) {
        optopt = option;
        option = options[0] == ':' ? ':' : '?';
    } else if (known[2] != ':') {
        optarg = words[optind];
        optind++;
    }
    __cs_option_rest = 0;
    return option;
}
