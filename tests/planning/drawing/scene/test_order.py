from itertools import pairwise

from hypothesis import given
from orchestrator.planning.drawing.scene.network import network_of
from orchestrator.planning.drawing.scene.order import crossings, ordered

from support.plans import plans


def network(of):
    number = {t.id: n for n, t in enumerate(of.tasks)}
    waves = [[number[id] for id in wave] for wave in of.waves]
    return network_of(waves, [(number[d], number[t.id]) for t in of.tasks for d in t.depends_on])


def test_two_crossed_links_are_uncrossed():
    crossed = network_of([[0, 1], [2, 3]], [(0, 3), (1, 2)])
    assert crossings(crossed.layers, crossed) == 1
    assert crossings(ordered(crossed), crossed) == 0


def test_every_pair_of_crossed_links_counts():
    whole = network_of([[0, 1, 2], [3, 4, 5]], [(a, b) for a in range(3) for b in range(3, 6)])
    assert crossings(whole.layers, whole) == 9


@given(plans(25))
def test_an_order_keeps_every_node_in_its_layer_and_crosses_no_more_links_than_before(of):
    known = network(of)
    found = ordered(known)
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in known.layers]
    assert crossings(found, known) <= crossings(known.layers, known)


@given(plans(25))
def test_a_line_goes_through_every_layer_between_its_ends(of):
    known = network(of)
    place = {node: n for n, layer in enumerate(known.layers) for node in layer}
    for t in of.tasks:
        for d in t.depends_on:
            ids = [x.id for x in of.tasks]
            way = known.way(ids.index(d), ids.index(t.id))
            assert [place[node] for node in way] == list(range(place[way[0]], place[way[-1]] + 1))
            assert all(map(known.is_bend, way[1:-1]))
            assert all(b in known.below[a] and a in known.above[b] for a, b in pairwise(way))
