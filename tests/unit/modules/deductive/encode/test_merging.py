"""Where other threads may run: the locations of a template, and the edges between them."""

from cseq.modules.deductive.encode.algebra import FALSE, TRUE, negation
from cseq.modules.deductive.encode.flow import Flow, Statement, Writer
from cseq.modules.deductive.encode.merging import Merger
from cseq.modules.deductive.transitions import BOOL, INT, Assign, Assume, Create, Number, Read, Template, Variable

X, L, B = Variable("x", INT), Variable("l", INT, template="t"), Variable("b", BOOL, template="t")


def put(variable, value=1):
    return Assign(Read(variable), Number(value))


class Program:
    """Statements one after the other."""

    def __init__(self):
        self.writer = Writer()

    def add(self, *actions, touches=False, mover=False, waits=False, section=0):
        self.writer.begin(Statement(None, mover, waits, touches))
        self.writer.at.actions += actions
        self.writer.at.section = section
        return self

    def merged(self, number=1):
        template = Template("t", 0, number)
        merger = Merger(template, Flow(self.writer.entry))
        merger.merge()
        return template, merger

    def edges(self, number=1):
        return [edge.actions for edge in self.merged(number)[0].edges]


def test_what_nobody_notices_is_merged():
    assert Program().add(put(L)).add(put(L, 2)).edges() == [(put(L), put(L, 2))]


def test_a_second_access_is_an_edge_of_its_own():
    program = Program().add(put(L)).add(put(X), touches=True).add(put(X, 2), touches=True)
    assert program.edges() == [(put(L), put(X)), (put(X, 2),)]


def test_movers_are_merged():
    program = Program().add(put(X), touches=True).add(put(X, 2), touches=True, mover=True)
    assert program.edges() == [(put(X), put(X, 2))]


def test_a_store_that_is_a_mover_is_not_merged_into_what_follows():
    program = Program().add(put(X), touches=True, mover=True).add(put(X, 2), touches=True)
    assert program.edges() == [(put(X),), (put(X, 2),)]


def test_what_may_block_is_not_merged_behind_a_store():
    blocks = Assume(Read(B))
    assert Program().add(put(X), touches=True).add(blocks, waits=True).edges() == [(put(X),), (blocks,)]
    assert Program().add(put(L)).add(blocks, waits=True).edges() == [(put(L), blocks)]


def test_main_alone_is_one_edge():
    program = (
        Program().add(put(X), touches=True).add(put(X, 2), touches=True).add(Create("u")).add(put(X), touches=True)
    )
    assert program.edges(number=0) == [(put(X), put(X, 2), Create("u")), (put(X),)]


def test_sections_are_not_interrupted():
    program = Program().add(section=1).add(put(X), touches=True).add(put(X, 2), touches=True).add(section=-1)
    assert program.edges() == [(put(X), put(X, 2))]


def test_a_loop_is_cut_at_its_head():
    program = Program().add(section=1)
    head = program.writer.new()
    head.cut = True
    program.writer.go_to(head)
    body = program.writer.new()
    body.actions.append(put(L))
    program.writer.go_to(body, Read(B))
    program.writer.go_to(head)
    program.writer.at = head
    program.writer.go_to(program.writer.new(), negation(Read(B)))
    template, merger = program.merged()
    assert [(edge.source == edge.target) for edge in template.edges].count(True) == 1
    assert len(merger.sections) == 1  # the head is inside of the section


def test_many_paths_meet_at_a_location():
    program = Program()
    for number in range(8):
        start, join = program.writer.at, program.writer.new()
        for condition, value in ((Read(B), 1), (negation(Read(B)), 2)):
            program.writer.at = start
            program.writer.go_to(program.writer.new(), condition)
            program.writer.at.actions.append(put(L, 10 * number + value))
            program.writer.go_to(join)
        program.writer.at = join
    template, _ = program.merged()
    assert len(template.edges) < 100 and len(template.locations) > 2


def test_nothing_follows_what_does_not_hold():
    program = Program().add(Assume(FALSE)).add(put(X))
    assert program.edges() == []
    assert TRUE != FALSE
