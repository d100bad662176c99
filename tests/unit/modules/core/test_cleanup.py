"""Cleanup handlers: when they are called."""

from textwrap import dedent


def test_a_cleanup_handler_is_called_behind_its_block_and_on_the_way_out(translated):
    text = """
        #include <pthread.h>
        int x;
        void undo(void *arg) { x = 0; }
        int main(void)
        {
          pthread_cleanup_push(undo, &x);
          pthread_exit(0);
          pthread_cleanup_pop(1);
          return 0;
        }
        """
    assert translated("three_address", text, "main") == dedent("""\
        int main(void)
        {
          void *__cs_tmp_1;
          __cs_tmp_1 = &x;
          __CSEQ_cleanup(1);
          pthread_exit(0);
          __CSEQ_cleaned(1);
          undo(__cs_tmp_1);
          goto __cs_clean_1;
          __cs_cleanup_1: ;
          undo(__cs_tmp_1);
          __CSEQ_unwind();
          __cs_clean_1: ;
          return 0;
        }
        """)
