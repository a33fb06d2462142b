"""Rounds like others before: checked by comparing them with what the rules have already said.

Most rounds of an evening are alike. What the rules answer does not depend on the hour, on the number of the round, or on
which of two kings was drawn. So the verifier remembers each step that the rules have confirmed, with just these things left
out, and a record that takes the same step from the same place is confirmed, too:

- a wager, and the closing call, by the wagers before it, in their order;
- who is given a hand, by all the wagers; a card, by whose turn it is and why; totals and result, by what the hands come to;
- settlement, by all the wagers, the winner, and the lines that decide them;

all of it by the table as it stands between rounds. What was left out is held against the round itself: numbers, times, the
faces of a hand that is turned over, the cards left in the shoe, the ending. Whatever is met for the first time, or is odd in
any way, goes to the rules, with the whole of its round.

Nothing of the rules is written here a second time: steps are learned from them, hands are followed by the game's own
procedure, and a round is put away by the table's own function, which is compared with the rules' result when it is learned.
"""
