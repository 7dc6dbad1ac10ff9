"""Pairing the pieces of gapped cues."""

from orchestrator.routing.gaps import Pairing, pieces_of


def chains(size: int, max_gap: int, *pieces: tuple[int, int, int]) -> list[tuple[tuple[int, int], ...]]:
    pairing = Pairing(size, max_gap)
    for piece, start, end in pieces:
        pairing.add(piece, (start, end))
    return pairing.complete


def test_a_gap_is_written_with_three_dots_or_an_ellipsis() -> None:
    assert pieces_of("first ... then") == ("first", "then")
    assert pieces_of("first…then … last") == ("first", "then", "last")
    assert pieces_of("and then") == ("and then",)
    assert pieces_of("first ...") == ("first", "")


def test_the_earliest_open_piece_that_is_near_enough_is_taken() -> None:
    assert chains(2, 10, (0, 0, 5), (0, 6, 11), (1, 14, 18)) == [((0, 5), (14, 18))]
    assert chains(2, 10, (0, 0, 5), (0, 6, 11), (1, 20, 24)) == [((6, 11), (20, 24))]
    assert chains(2, 10, (0, 0, 5), (1, 16, 20)) == []


def test_pairs_do_not_overlap() -> None:
    assert chains(2, 99, (0, 0, 5), (0, 6, 11), (1, 12, 16), (1, 20, 24)) == [((0, 5), (12, 16))]
    assert chains(2, 99, (0, 0, 5), (1, 6, 10), (0, 11, 16), (1, 17, 21)) == [
        ((0, 5), (6, 10)),
        ((11, 16), (17, 21)),
    ]


def test_a_piece_must_stand_behind_the_one_before_it() -> None:
    assert chains(2, 99, (1, 0, 4), (0, 5, 10)) == []
    assert chains(2, 99, (0, 0, 9), (1, 5, 9)) == []


def test_three_pieces_are_chained_and_each_gap_is_bounded() -> None:
    assert chains(3, 5, (0, 0, 1), (1, 3, 4), (2, 8, 9)) == [((0, 1), (3, 4), (8, 9))]
    assert chains(3, 5, (0, 0, 1), (1, 3, 4), (2, 10, 11)) == []
