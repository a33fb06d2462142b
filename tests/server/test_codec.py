"""Commands on the wire: every one there and back, and nothing taken for what it is not."""

from __future__ import annotations

import types
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.eventsourcing import name_of
from longhu.messages.message import Message
from longhu.money import AMOUNT_MAX, UNSTATED, Amount, Currency, currency
from longhu.positions import Position
from longhu.protocol import WHOLE_MAX
from longhu.server import codec
from longhu.server.authorization import reserved_for_house
from longhu.server.codec import FIELD_WRONG, HOUSE_ONLY, Unreadable
from longhu.server.problems import ENDS_EARLY_OR_HALF, ENDS_TOO_EARLY, HALF_A_CHARACTER, decode_error
from longhu.server.streams.commands import Actor
from longhu.table.betting import PlaceWager
from longhu.table.dealing import DrawCard
from longhu.table.messages import TABLE, Command
from longhu.table.opening import ChangeSettings
from longhu.table.people import TakeTheDeal
from longhu.table.shoe import LoadShoe
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.state import Settings, Table
from longhu.table.views import View
from tests.table.rounds import Play

ANN = Actor("ann", Position.PATRON)
JPY = currency("JPY")
decoder = msgspec.json.Decoder(codec.WireCommand)

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value that a field of this type could have."""
    if kind == Amount:
        return st.integers(0, AMOUNT_MAX)
    plain: dict[Any, st.SearchStrategy[Any]] = {int: st.integers(0, WHOLE_MAX), bool: st.booleans(), str: TEXTS}
    if kind in plain:
        return plain[kind]
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(values(each) for each in args))
    if kind in (type(None), msgspec.UnsetType):
        return st.just(None if kind is type(None) else msgspec.UNSET)
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(each) for each in args))
    if origin is dict:
        return st.dictionaries(values(args[0]), values(args[1]), max_size=3)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return st.builds(kind, **{each.name: values(each.type) for each in msgspec.structs.fields(kind)})
    return st.sampled_from(kind)


def commands(kind: type[Command]) -> st.SearchStrategy[Command]:
    """Any command of a kind, as ann would give it; what she cannot say is as usual."""
    said = [each for each in msgspec.structs.fields(kind) if each.name not in codec.HEADER]
    fields = {each.name: values(each.type) for each in said if each.name not in codec.NOT_SAID.get(kind, ())}
    if kind is ChangeSettings:
        fields["changes"] = values(Settings).map(_some_settings)
    return st.builds(kind, by=st.just("ann"), at=st.just(7), position=st.sampled_from(Position), **fields)


def _some_settings(settings: Settings) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(settings)
    return {name: value for name, value in told.items() if name in ("limits", "chip_unit", "differential", "burn")}


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize("kind", list(TABLE.deciders), ids=name_of)
@settings(max_examples=max(1, settings().max_examples // 20))
@given(data=st.data(), money=st.sampled_from([UNSTATED, JPY]))
def test_every_command_comes_back_as_it_was_written(kind: type[Command], data: st.DataObject, money: Currency) -> None:
    command = data.draw(commands(kind))
    told = codec.written(command, money)
    told["position"] = command.position.value
    asked: Any = msgspec.json.decode(msgspec.json.encode(told), type=codec.FORMS[kind])
    assert codec.command(asked, ANN, 7, money) == command


# ------------------------------------------------ money is declared as money

COUNTED = """
    Message.args WagerSettled.line
    AreaCapped.most AreaCapped.place CapArea.most CapArea.place CardDrawn.shoe_number CardBurned.shoe_number CardSqueezed.place
    CardSqueezed.step CardsCut.behind CardsExposed.places CardsFoundMissing.places
    CardsDrawnInError.shoe_number CardsInErrorBurned.count CardsPutBack.count
    CardsSetAside.shoe_number CardsShuffled.cards CardsSorted.accounted_for CardsSorted.counts CardsSubstituted.places
    CardsVerified.counted Card.bent CardView.bent Equipment.cutting_cards Equipment.discard_rack Equipment.held_out
    Equipment.pucks Equipment.shoe Equipment.shuffler AcceptChips.number CorrectPayment.round DeliverChips.number IssueChips.number
    PaymentCorrected.round RecountChips.number MakeRuling.returns OpenTable.cards_counted ReportUnenteredChips.place RoundReversed.decks ChipRequestView.number AnswerWithdrawalOffer.wagers BettingClosed.number
    Awaited.number BettingReopened.number ConfirmReport.number OpenTable.authority RejectReport.number
    ReportConfirmed.number ReportRejected.number TableOpened.authority ChangeReturnedWager.place ConfirmWager.place ContributionMade.number CutCards.behind CutMade.behind
    CutMade.number Deferred.gone DrawCardsTogether.count ExposeCards.places ChipRequest.number
    JoinTable.seat JudgeIrregularity.order LateChipsReturned.place
    LoadShoe.cut_behind Mix.counts Mix.cut_at Mix.number Notice.decks Notice.positions Offer.order Offer.until OfferView.until PatronJoined.seat
    PaymentsReversed.number PlaceWager.place RemoveWager.place ReportMissingCards.places ReportLateChips.place ReportLiftedWager.place
    MakeRuling.returns OpenTable.cards_counted ReportMalfunction.number ReportOffLimitsWager.place ReportUnenteredChips.place ReportOffLimitsWager.round ResultAnnounced.totals
    RoundAbandoned.number RoundEnded.number RoundReversed.number RoundStarted.number
    RoundView.aside RoundView.number RoundView.reveal_until ReturnedView.place RoundView.sort_record RoundView.totals RoundVoided.number SeatTaken.seat SeatView.seat
    SetSpokenWager.place Settings.area_players Settings.burn Settings.cut_reserve Settings.decks Settings.positions
    Settings.reveal_seconds Settings.rounds_after_cut Settings.withdrawal_seconds ShoeCondemned.number ShoeEnded.number
    ShoeInUse.counts ShoeInUse.cut_at ShoeInUse.drawn ShoeInUse.number ShoeInUse.rounds_since_cut ShoeInUse.unknown
    ShoeLoaded.burned Shuffle.cut_behind Shuffle.number ShuffleCommitted.number ShuffleRevealed.number SortCards.counts
    CardCorrected.place CardsGivenBack.places CorrectCard.laid GrantSqueeze.places SqueezeGranted.places
    RoundView.counted RoundView.just_entered SpeakWager.place Spoken.place SqueezeCard.place SqueezeCard.step Stake.pieces Stake.place Stake.since
    StakeView.place TakeWagerBack.place TakeSeat.seat TotalsAnnounced.totals VerifyCards.counted View.cards_left View.exposed
    View.round_number VoidChipRequest.number WagerSettled.line
    ConnectSource.sequence ConnectSource.told_at CountMessages.sequence CountMessages.told_at ReadCard.sequence ReadCard.told_at
    ReadCuttingCard.sequence ReadCuttingCard.told_at ReportReadError.sequence ReportReadError.told_at ReportRemoved.sequence
    ReportRemoved.told_at SourceConnected.sequence SourceConnected.told_at SourceHeard.missing SourceHeard.sequence
    SourceHeard.told_at SourceView.heard SourceView.messages
    AddStatement.dispute CorrectPayment.dispute DisputeRaised.dispute DisputeRaised.round DisputeRuled.dispute
    PaymentCorrected.dispute RaiseDispute.round RuleOnDispute.dispute StatementAdded.dispute
"""


def plain_numbers(kind: Any) -> bool:
    """Is there a number in it that is not declared as money? Chips are told as how many of each value."""
    if kind == Amount:
        return False
    args = typing.get_args(kind)
    if typing.get_origin(kind) is dict and args[0] == Amount:
        return False
    return kind is int or any(plain_numbers(each) for each in args)


def structs(kind: Any, found: set[type[msgspec.Struct]]) -> None:
    """Every struct that stands in a type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
        found.add(kind)
        for field in msgspec.structs.fields(kind):
            structs(field.type, found)
    for each in typing.get_args(kind):
        structs(each, found)


@pytest.mark.clause("MON-2")
def test_every_number_on_the_wire_is_money_or_known_to_be_none() -> None:
    found: set[type[msgspec.Struct]] = set()
    for kind in (*TABLE.deciders, *TABLE.evolvers, View):
        structs(kind, found)
    numbers = {
        f"{kind.__name__}.{field.name}"
        for kind in found
        for field in msgspec.structs.fields(kind)
        if field.name != "at" and plain_numbers(field.type)
    }
    assert numbers == set(COUNTED.split()), "declare it as `longhu.money.Amount`, or write it down as a count"


# ------------------------------------------------ nothing is taken for what it is not


def asked(**fields: Any) -> bytes:
    return msgspec.json.encode({"command": "place-wager", "place": 1, "wager": "player", "amount": "5.00", **fields})


def complaint(text: bytes) -> str:
    """What is said about a message that is not taken."""
    try:
        codec.command(decoder.decode(text), ANN, 7, UNSTATED)
    except msgspec.MsgspecError as error:
        return told(decode_error(error))
    except Unreadable as error:
        return told(error.message)
    raise AssertionError(f"{text!r} was taken")


def told(argument: Any) -> str:
    """A message as its code and arguments, with the field that it is about before them."""
    if isinstance(argument, list):
        return " ".join(map(told, argument))
    if not isinstance(argument, Message):
        return str(argument)
    if argument.code == FIELD_WRONG.code:
        return f"{argument.args['field']}: {told(argument.args['problem'])}"
    return f"{argument.code} {', '.join(told(each) for _, each in sorted(argument.args.items()))}".rstrip(" ")


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize(
    ("amount", "says"),
    [
        (b"5", "amount: field-of-other-kind value-text, value-whole-number"),
        (b"5.00", "amount: field-of-other-kind value-text, value-with-fraction"),
        (b"true", "amount: field-of-other-kind value-text, value-true-or-false"),
        (b"null", "amount: field-of-other-kind value-text, value-null"),
        (b'["5.00"]', "amount: field-of-other-kind value-text, value-list"),
        (b'"-5.00"', "amount: file-amount-wrong , '-5.00', negative"),
        (b'"1e3"', "amount: file-amount-wrong , '1e3', scientific"),
        (b'"NaN"', "amount: file-amount-wrong , 'NaN', no-amount"),
        (b'"1,000.00"', "amount: file-amount-wrong 1000.00, '1,000.00', separators"),
        (b'"0.001"', "amount: file-amount-wrong 0.01, '0.001', too-fine"),
        (b'"10000000000000.00"', "amount: file-amount-wrong 9999999999999.99, '10000000000000.00', too-large"),
        (b'"' + b"9" * 61 + b'"', "amount: field-too-long 60"),
        (b'""', "amount: file-amount-wrong , '', no-amount"),
        ('"５"'.encode(), "amount: file-amount-wrong , '５', no-amount"),
    ],
)  # fmt: skip
def test_only_a_decimal_string_is_an_amount(amount: bytes, says: str) -> None:
    text = asked().replace(b'"5.00"', amount)
    assert complaint(text) == says


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (b'"5"', "place: field-of-other-kind value-whole-number, value-text"),
        (b"true", "place: field-of-other-kind value-whole-number, value-true-or-false"),
        (b"1.5", "place: field-of-other-kind value-whole-number, value-with-fraction"),
        (b"1.0", "place: field-of-other-kind value-whole-number, value-with-fraction"),
        (b"1e3", "place: field-of-other-kind value-whole-number, value-with-fraction"),
        (b"1e400", "place: decoder-says Number out of range"),
        (b"-1", "place: field-out-of-bounds >= 0, value-whole-number"),
        (b"9007199254740992", "place: field-out-of-bounds <= 9007199254740991, value-whole-number"),
        (b"9" * 400, "place: field-out-of-bounds <= 9007199254740991, value-whole-number"),
        (b"9" * 5000, "place: decoder-says Integer value out of range"),
        (b"null", "place: field-of-other-kind value-whole-number, value-null"),
        (b"NaN", "decoder-says JSON is malformed: invalid character (byte 33)"),
        (b"Infinity", "decoder-says JSON is malformed: invalid character (byte 33)"),
    ],
)
def test_only_a_whole_number_is_a_place(place: bytes, says: str) -> None:
    assert complaint(asked().replace(b'"place":1', b'"place":' + place)) == says


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"by": "bob"}, "field-unknown by"),
        ({"at": 5}, "field-unknown at"),
        ({"cash": 1}, "cash: field-of-other-kind value-true-or-false, value-whole-number"),
        ({"chips": ["1.00", 2]}, "chips[1]: field-of-other-kind value-text, value-whole-number"),
        ({"chips": ["1.00", "x"]}, "chips: file-amount-wrong , 'x', no-amount"),
        ({"wager": "a\0b"}, "wager: control-character"),
        ({"wager": "x" * 1001}, "wager: field-too-long 1000"),
        ({"position": 1}, "position: field-of-other-kind value-text value-null, value-whole-number"),
        ({"position": "king"}, "position: decoder-says Invalid enum value 'king'"),
        ({"command": "cheat"}, "command: command-unknown cheat"),
    ],
)
def test_a_field_that_is_wrong_is_named(fields: dict[str, Any], says: str) -> None:
    assert complaint(asked(**fields)) == says


def test_where_a_text_ends_too_early_a_half_of_a_character_is_another_matter() -> None:
    """The decoder says of both that the data was truncated."""
    for text, says in (
        (b'{"a":"x', ENDS_TOO_EARLY),
        (rb'{"a":"\ud800"}', HALF_A_CHARACTER),
        (rb'{"a":"\uDBFFx"}', HALF_A_CHARACTER),
        (rb'{"a":"\\ud800', ENDS_TOO_EARLY),
        (rb'{"a":"\ud83d\ude00', ENDS_TOO_EARLY),
    ):
        with pytest.raises(msgspec.DecodeError, match="truncated") as found:
            msgspec.json.decode(text)
        assert decode_error(found.value, text) == says()
        assert decode_error(found.value) == ENDS_EARLY_OR_HALF()


def test_what_is_missing_is_named() -> None:
    assert complaint(b'{"command":"place-wager","place":1,"amount":"5"}') == "field-missing wager"
    assert complaint(b"{}") == "field-missing command"
    assert complaint(b"[]") == "field-of-other-kind value-object, value-list"


@pytest.mark.clause("MON-2")
def test_amounts_within_settings_are_strings_as_well() -> None:
    good = (
        b'{"command":"change-settings","changes":{"limits":{"player":{"min":"1.00","max":"5.00"}},"chip_unit":"0.50"}}'
    )
    command = codec.command(decoder.decode(good), ANN, 7, UNSTATED)
    assert isinstance(command, ChangeSettings)
    assert command.changes == {"limits": {"player": {"min": 100, "max": 500, "increment": 1}}, "chip_unit": 50}
    assert complaint(good.replace(b'"5.00"', b"500")).startswith(
        "changes.limits[...].max: field-of-other-kind value-text"
    )
    assert complaint(good.replace(b'"5.00"', b'"x"')).startswith("changes.limits.player.max: file-amount-wrong")
    assert complaint(good.replace(b'"chip_unit"', b'"table"')) == "field-unknown changes.table"


def test_chips_of_one_value_are_counted_once() -> None:
    text = b'{"command":"close-table","float_counted":"4.00","counted_by":["a","b"],"chips":{"1.00":1,"1":3}}'
    assert complaint(text) == "chips: key-twice"


# ------------------------------------------------ whose it is


def test_who_asks_and_when_is_said_by_the_server() -> None:
    told = decoder.decode(asked())
    assert codec.command(told, ANN, 7, UNSTATED) == PlaceWager(by="ann", at=7, place=1, wager="player", amount=500)
    pam = Actor("pam", Position.PIT_MANAGER)
    assert codec.command(told, pam, 7, UNSTATED).position is Position.PIT_MANAGER
    assert codec.command(decoder.decode(asked(position="dealer")), pam, 7, UNSTATED).position is Position.DEALER


@pytest.mark.clause("RUL-6")
@pytest.mark.parametrize("kind", HOUSE_ONLY, ids=name_of)
def test_what_only_the_house_does_cannot_be_asked(kind: type[Command]) -> None:
    assert complaint(msgspec.json.encode({"command": name_of(kind)})) == f"command: command-unknown {name_of(kind)}"


def test_a_patron_does_not_say_what_the_house_knows_of_patrons() -> None:
    assert complaint(b'{"command":"join-table","seat":1,"status":[]}') == "field-unknown status"


@pytest.mark.clause("RUL-6", "PLY-3")
def test_people_neither_shuffle_an_electronic_shoe_nor_hurry_an_automatic_dealer() -> None:
    at: dict[str, Any] = {"by": "dee", "at": 9, "position": Position.DEALER}
    load, draw, take = LoadShoe(**at), DrawCard(**at), TakeTheDeal(**at)
    electronic = Play("dragon-tiger").table
    by_hand = Play("dragon-tiger", cards=None, device="hand-shoe").table
    itself = Play("dragon-tiger", automatic_dealer=True).table

    def kept(table: Table, command: Command) -> str:
        refusal = reserved_for_house(table, command)
        return refusal.clause if refusal else ""

    assert (kept(electronic, load), kept(by_hand, load)) == ("RUL-6", "")
    taken = msgspec.structs.replace(itself, dealer="dee")
    open_to_all = msgspec.structs.replace(itself, dealer="")
    assert (kept(open_to_all, draw), kept(open_to_all, take)) == ("PLY-3", "")
    assert (kept(taken, draw), kept(electronic, draw)) == ("", "")
    assert kept(electronic, CommitShuffle(commitment="0" * 64, **at)) == "RUL-6"
    assert kept(electronic, RevealShuffle(secret="0" * 64, **at)) == "RUL-6"


# ------------------------------------------------ described


def test_the_description_says_what_an_amount_looks_like() -> None:
    told = msgspec.json.schema(codec.FORMS[PlaceWager])["$defs"]["PlaceWager"]
    assert told["properties"]["amount"]["pattern"] == "^[0-9]+(\\.[0-9]+)?$"
    assert told["required"] == ["command", "place", "wager", "amount"]
    assert told["description"].startswith("Put chips on an area")
    assert told["additionalProperties"] is False
