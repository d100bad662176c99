"""The attribute cleanup: calls where scopes end."""

from textwrap import dedent


def test_calls_are_made_at_the_end_of_the_block_and_before_jumps_out_of_it(translated):
    before = """\
        void done(int *p);
        int f(int n)
        {
          int a __attribute__((cleanup(done)));
          a = 1;
          while (n)
          {
            int b __attribute__((cleanup(done)));
            b = 2;
            if (n == 1) break;
            if (n == 2) goto out;
            return a;
          }
        out:
          return 0;
        }
        void done(int *p) { }
        int main(void) { return f(1); }
        """
    text = translated("normalise", dedent(before), "f")
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if "done" in line] == [
        "done(&b);", "done(&b);", "done(&b);", "done(&a);", "done(&b);", "done(&a);", "done(&a);"
    ]  # fmt: skip
    assert lines[lines.index("break;") - 1] == "done(&b);"
    place = lines.index("__cs_value_1 = a;")
    assert lines[place : place + 4] == ["__cs_value_1 = a;", "done(&b);", "done(&a);", "return __cs_value_1;"]


def test_a_local_that_shadows_another_one_is_not_mistaken_for_it(translated):
    before = """\
        void done(int *p);
        int f(void)
        {
          int a __attribute__((cleanup(done))) = 1;
          {
            int a = 2;
            return a;
          }
        }
        void done(int *p) { }
        int main(void) { return f(); }
        """
    text = translated("normalise", dedent(before), "f")
    assert "__cs_value_1 = a__cs2;\n" in text and "done(&a);\n" in text and "done(&a__cs2)" not in text
