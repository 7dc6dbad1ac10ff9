from orchestrator.execution.slots import Places, Slots, Unit
from orchestrator.ids import TaskId

from support.driving import task

MANY = Places(99)


def unit(id: str, hops: int = 1, order: int = 0, places: Places = MANY) -> Unit:
    return Unit(-hops, order, 0, TaskId(id), task(f"{id} a"), places)


def names(units: list[Unit]) -> list[str]:
    return [u.id for u in units]


def offered(slots: Slots, *units: Unit) -> Slots:
    for one in units:
        slots.offer(one)
    return slots


def test_the_longest_way_goes_first_then_plan_order() -> None:
    slots = offered(Slots(9), unit("c", 1, 1), unit("b", 1, 0), unit("a", 5, 2))
    assert names(slots.take()) == ["a", "b", "c"]


def test_children_go_in_the_order_of_their_items() -> None:
    parent = unit("t")
    slots = offered(Slots(9), *(parent.child(n) for n in (11, 2, 1)))
    assert names(slots.take()) == ["t[1]", "t[2]", "t[11]"]


def test_no_more_start_than_the_run_allows() -> None:
    slots = offered(Slots(2), unit("a", order=0), unit("b", order=1), unit("c", order=2))
    first, second = slots.take()
    assert slots.take() == []
    slots.release(second)
    assert names(slots.take()) == ["c"]
    slots.release(first)
    assert slots.take() == []


def test_no_more_start_than_their_agent_allows_and_others_pass_them_by() -> None:
    few = Places(1)
    slots = offered(
        Slots(9), unit("a", 3, places=few), unit("b", 2, places=few), unit("c", 1, 1, few), unit("d", 1, 2)
    )
    first, other = slots.take()
    assert (first.id, other.id) == ("a", "d")
    slots.release(first)
    (second,) = slots.take()
    assert second.id == "b"
    slots.release(second)
    assert names(slots.take()) == ["c"]


def test_one_that_may_not_start_goes_on_waiting_in_its_turn_and_others_pass_it_by() -> None:
    slots = offered(Slots(9), unit("a", 3), unit("b", 2), unit("c", 1))
    assert names(slots.take(lambda unit: unit.id != "a")) == ["b", "c"]
    slots.offer(unit("d", 2))
    assert names(slots.take()) == ["a", "d"]


def test_only_one_that_has_a_place_is_asked_whether_it_may() -> None:
    few, asked = Places(1), list[str]()
    slots = offered(Slots(2), unit("a", 3, places=few), unit("b", 2, places=few), unit("c"), unit("d"))

    def may(unit: Unit) -> bool:
        asked.append(unit.id)
        return True

    assert names(slots.take(may)) == ["a", "c"]
    assert asked == ["a", "c"]
