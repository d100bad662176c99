"""Graphs in which the iterations of loops are nodes of their own."""

from cseq.modules.ir.peeling import PeeledGraph

LOOPS = """
int a, b;
int main(void) { while (a) { while (b) { a = 1; } b = 1; } a = 2; return 0; }
"""


def test_each_iteration_has_nodes_of_its_own(core):
    graph = PeeledGraph(core(LOOPS).by_name["main"], is_peeled=True)
    node, seen = graph.entry, [graph.entry]
    while len(seen) < 6:  # always the first way: into the loops
        _, node = next(iter(graph.leaving(node)))
        seen.append(node)
    assert seen == sorted(seen)
    assert len(set(seen)) == 6
    heads = [node for node in seen if graph.is_head(node)]
    assert heads[0] == graph.entry
    assert [head[-2] for head in heads[1:]] == list(range(len(heads) - 1))
    assert not any(map(graph.is_repeated, seen))


def test_a_loop_that_is_kept_leads_back_to_its_head(core):
    graph = PeeledGraph(core(LOOPS).by_name["main"], is_peeled=True)
    _, inner = next(iter(graph.leaving(graph.entry)))
    assert graph.is_head(inner)
    graph.keep(inner)
    _, body = next(iter(graph.leaving(inner)))
    assert [to for _, to in graph.leaving(body)] == [inner]
    assert graph.is_repeated(body)
    assert not graph.is_repeated(graph.entry)


def test_without_peeling_the_nodes_are_the_blocks(core):
    template = core(LOOPS).by_name["main"]
    graph = PeeledGraph(template, is_peeled=False)
    seen, waiting = {graph.entry}, [graph.entry]
    while waiting:
        for _, to in graph.leaving(waiting.pop()):
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    assert sorted(node[-1] for node in seen) == [block.number for block in template.blocks]
    assert any(map(graph.is_repeated, seen))
