"""The shipped keywords: what an office is asked for reaches the intent that serves it, nothing else."""

import asyncio
from pathlib import Path

import pytest
from orchestrator.app import Orchestrator
from orchestrator.planning.task import Task
from orchestrator.routing.route import Route

APP = Orchestrator.from_workspace(Path(__file__).parents[3])

EXAMPLES = [
    (text, intent)
    for agent in APP.workspace.agents.values()
    for intent, config in agent.intents.items()
    for text in config.examples
]

EVERYDAY = {
    "summarize_inbox": [
        "summarize my inbox",
        "Could you please summarise my unread mails?",
        "summarize emails from Bob",
        "what's new in my inbox?",
        "any new mail?",
        "any important emails since Friday?",
        "do I have new messages?",
        "give me a summary of this week's mail",
        "catch me up on my emails",
        "what did I miss in my inbox",
        "what needs a reply in my inbox?",
        "did I get any mail today",
        "check my email",
        "summarise my mail from yesterday",
        "summarize all unread emails from this week, please",
        "inbox",
    ],
    "search_inbox": [
        "search my inbox for invoices",
        "search my mailbox for the lease",
        "emails from Bob and Alice",
        "mail from Hartley",
        "find the email about the van",
        "any mail from Marta?",
        "did Bob write to me?",
        "what did Zoë write about the frames",
        "show me the emails from Gwen about the lease",
        "look for messages about the trade fair",
        "has Hartley & Sons replied about the invoice?",
        "who wrote to me yesterday",
        "is there an email about the boiler inspection",
        "find mails with the subject proofs",
    ],
    "list_inbox": [
        "list my emails",
        "show me my unread mails",
        "which messages are unread?",
        "list all messages from last week",
        "show my mail",
        "how many unread emails do I have",
    ],
    "check_calendar": [
        "what is on my calendar on Monday and Tuesday",
        "what's on today?",
        "What do I have on tomorrow?",
        "calendar for next week please",
        "do I have any appointments on Thursday?",
        "when is the boiler inspection?",
        "when is the winter concert",
        "when do I meet Marta",
        "my agenda for today",
        "which meetings are there this week",
        "what is my next appointment",
        "what's my schedule like on Friday",
        "do I have anything planned for tomorrow",
        "am I meeting Marta today",
        "does anything clash today",
        "what time is the dentist",
        "what do I have tomorrow?",
        "who am I meeting tomorrow",
    ],
    "free_time": [
        "am I free on Thursday afternoon?",
        "when am I free this week",
        "find me a free slot tomorrow",
        "do I have time for a call on Friday at 10",
        "is there a gap in my calendar tomorrow",
        "am I available at 3pm",
        "free time next week?",
        "when can I meet Bob this week",
        "find time for a meeting with Bob this week",
    ],
    "find_overdue": [
        "overdue invoices",
        "Which clients are late with their payments?",
        "who hasn't paid yet?",
        "who has not paid",
        "which invoices are past due",
        "any late payers?",
        "is anything overdue",
        "invoices that are more than 10 days late",
        "who is behind on payments",
        "overdue invoices from Hartley",
    ],
    "totals": [
        "how much do clients owe me?",
        "who owes us the most",
        "what does Hartley & Sons owe",
        "total outstanding please",
        "how much money is outstanding",
        "how much is still open",
        "how much are we owed",
    ],
    "list_invoices": [
        "which invoices are due next week",
        "list all invoices",
        "show me the paid invoices",
        "which invoices are still open?",
        "unpaid invoices of Ruiz Verlag",
        "has Café Lindqvist paid?",
        "which invoices have been paid",
        "list the invoices for Harbour Gallery",
    ],
    "write_reminder": [
        "remind me to call Bob and Alice",
        "please remind me tomorrow at 9 to call the bank",
        "can you set a reminder for the dentist on Friday?",
        "don't let me forget the lease",
        "remind me about the invoice on Monday",
        "reminder: water the plants tomorrow",
        "remind me to check my calendar",
        "remind me to pay the overdue invoice",
        "remind me to summarize my inbox on Friday",
        "I need a reminder to buy milk",
        "create a reminder for tomorrow at 9: call the bank",
        "remind me on Friday to send the invoices",
        "remind me to reply to the email from Gwen",
    ],
}

EVERYDAY |= {
    "search_notes": [
        "search my notes for oak",
        "what do my notes say about the lease?",
        "find the note about the boiler",
        "notes about the trade fair",
        "list my notes",
        "which notes do I have",
        "look in my notes for the price of walnut",
        "did I write down the number of crates",
        "show me the note on Hartley",
        "is there something in my notes about ash",
        "search the notes for invoices",
        "find my notes on the winter concert",
    ],
    "add_note": [
        "add to my notes: the boiler man comes on Thursdays",
        "note that Gwen wants four more frames",
        "please write down that the van comes at 7:30",
        "jot down the price of oak",
        "add this to today's note",
        "make a note that the gate closes at nine",
        "add tape and blankets to the note Trade fair",
        "note down that Hartley pays in December",
        "take a note: call the landlord",
        "save it to my notes",
        "put it in my notes",
    ],
    "write_note": [
        "write a note called Packing list: tape, blankets",
        "create a new note about the winter window",
        "make a new note named Opening hours",
        "replace the section Budget of the note Trade fair with: 600 in all",
        "start a new note for the evening course",
    ],
}

SINGLE = [
    "emails from Bob and Alice",
    "search my inbox for invoices",
    "what is on my calendar on Monday and Tuesday",
    "remind me to call Bob and Alice",
    "remind me to buy milk, bread and butter",
    "overdue invoices of Hartley and Harbour Gallery",
    "find mails about the lease and the boiler",
    "do I have meetings both today and tomorrow",
    "who owes us money, and how much",
    "am I free on Monday or Tuesday, or also on Friday",
    "show me what Bob and Alice wrote about the van and the fair",
]

NOBODYS = [
    "tell me a joke",
    "write a poem about rain and snow",
    "what is the capital of France",
    "translate good morning into Portuguese",
    "how do I boil an egg",
    "thank you",
    "turn on the lights in the office",
    "book a flight to Lisbon",
    "who are you",
    "what is the weather tomorrow",
    "how much does a horse weigh",
    "write me a letter for the landlord",
    "delete everything",
    "what time is it",
    "write an email to Bob",
    "summarize this article about bees",
    "good morning",
]

COMPOUND = {
    "search my inbox for the lease and then add it to my notes": ["search_inbox", "add_note<t1"],
    "find the overdue invoices, then make a note for each of them": ["find_overdue", "add_note<t1*"],
    "summarize my inbox and then add the summary to my notes": ["summarize_inbox", "add_note<t1"],
    "search my notes for the boiler and check my calendar": ["search_notes", "check_calendar"],
    "search my notes for the lease and then remind me of it tomorrow": ["search_notes", "write_reminder<t1"],
    "how much does Hartley owe, and what do my notes say about Hartley": ["totals", "search_notes"],
    "check my calendar and remind me to buy milk": ["check_calendar", "write_reminder"],
    "search my inbox for the lease and then remind me to sign it": ["search_inbox", "write_reminder<t1"],
    "how much do clients owe me and what is on my calendar tomorrow": ["totals", "check_calendar"],
    "for each overdue invoice, write a reminder": ["find_overdue", "write_reminder<t1*"],
    "write a reminder for each overdue invoice": ["find_overdue", "write_reminder<t1*"],
    "first find the overdue invoices, then write a reminder for each of them": [
        "find_overdue",
        "write_reminder<t1*",
    ],
    "summarize my inbox as well as my calendar for today": ["summarize_inbox", "check_calendar"],
    "find the overdue invoices and remind me of them tomorrow": ["find_overdue", "write_reminder<t1"],
    "what came in by mail today, and am I free tomorrow?": ["summarize_inbox", "free_time"],
    "list the open invoices and also check my calendar for Friday": ["list_invoices", "check_calendar"],
    "emails from Bob and Alice, and then what is on today": ["search_inbox", "check_calendar<t1"],
    "summarize my inbox, check my calendar and list the overdue invoices": [
        "summarize_inbox",
        "check_calendar",
        "find_overdue",
    ],
    "who is late with paying? after that remind me to call them": ["find_overdue", "write_reminder<t1"],
    "when is my dentist appointment and remind me of it an hour before": [
        "check_calendar",
        "write_reminder<t1",
    ],
}


def shape_of(task: Task) -> str:
    """`write_reminder<t1*`: the intent, and what it waits for; with a star it runs once per item of that."""
    needs = [f"{d}*" if d == task.map_over else d for d in task.depends_on]
    return "<".join((str(task.intent), *filter(None, [",".join(needs)])))


def routed(text: str) -> Route:
    return asyncio.run(APP.route(text, llm=False))


@pytest.mark.parametrize(("text", "intent"), EXAMPLES)
def test_an_example_goes_surely_to_its_own_intent(text: str, intent: str) -> None:
    route = routed(text)
    assert (route.intent, route.sure) == (intent, True)


@pytest.mark.parametrize(("text", "intent"), [(t, i) for i, texts in EVERYDAY.items() for t in texts])
def test_an_everyday_request_goes_surely_to_the_intent_that_serves_it(text: str, intent: str) -> None:
    route = routed(text)
    assert (route.intent, route.sure) == (intent, True)


@pytest.mark.parametrize("text", SINGLE)
def test_a_list_within_one_request_is_no_second_request(text: str) -> None:
    assert not APP.is_multi_step_query(text)
    assert routed(text).sure


@pytest.mark.parametrize("text", NOBODYS)
def test_what_nobody_serves_is_declined_and_single(text: str) -> None:
    assert routed(text).agent is None
    assert not APP.is_multi_step_query(text)


@pytest.mark.parametrize(("text", "tasks"), COMPOUND.items())
def test_a_request_of_several_parts_is_planned_without_a_model(text: str, tasks: list[str]) -> None:
    plan = asyncio.run(APP.plan(text, llm=False))
    assert plan.warnings == ()
    assert [shape_of(task) for task in plan.tasks] == tasks
