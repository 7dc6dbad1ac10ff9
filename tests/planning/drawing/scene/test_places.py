from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from orchestrator.planning.drawing.scene.network import network_of
from orchestrator.planning.drawing.scene.places import placed


def test_a_task_stands_in_the_middle_of_those_that_wait_for_it():
    fan = network_of([[0], [1, 2, 3]], [(0, 1), (0, 2), (0, 3)])
    middles = placed(fan.layers, fan, lambda _a, _b: 100.0)
    assert abs(middles[0] - middles[2]) < 0.1
    assert [round(m - middles[2]) for m in middles[1:]] == [-100, 0, 100]


def test_a_line_beside_a_long_chain_does_not_drift():
    chain = [(n, n + 1) for n in range(99)]
    long = network_of([[n] for n in range(100)], [*chain, *((0, n) for n in range(2, 100))])
    middles = placed(long.layers, long, lambda _a, _b: 100.0)
    assert max(middles) - min(middles) < 150


def test_a_long_line_with_nothing_in_its_way_is_straight():
    ladder = network_of([[0], [1], [2], [3]], [(0, 1), (1, 2), (2, 3), (0, 3)])
    middles = placed(ladder.layers, ladder, lambda _a, _b: 50.0)
    assert abs(middles[4] - middles[5]) < 1


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.data())
def test_neighbours_keep_their_order_and_their_distance(sizes, data):
    numbers = iter(range(sum(sizes)))
    layers = [[next(numbers) for _ in range(size)] for size in sizes]
    links = [(data.draw(st.sampled_from(upper)), node) for upper, lower in pairwise(layers) for node in lower]
    known = network_of(layers, links)
    middles = placed(known.layers, known, lambda a, b: 10.0 + a + b)
    for layer in layers:
        assert all(middles[b] - middles[a] >= 10 + a + b - 1e-6 for a, b in pairwise(layer))
