"""Lines like others before: checked by comparing them with what the rules have already said.

Most rounds of an evening are alike, and so are the changes from one shoe to the next. What the rules answer does not depend on
the hour, on the number of the round, or on which of two kings was drawn. So each record that the rules have confirmed is
kept as a *form*: its line, with holes for just these things (`forms`). A form belongs to a *spot*, a place between two records
(`steps`), and says to which spot it leads. What each kind of record rests on, and so what tells two spots apart, stands in `lessons`.

A *walk* goes along these spots with the lines of a file (`walk`, and `change` between two shoes). What a line must be is written from
the form and from what the round has come to, and compared to the byte: numbers, times, faces, salts, secrets and
digests, the cards left in the shoe, the money of each patron, the ending. Nothing is decoded.

At the first line that is not known the walk stops and the table catches up with it; the rules are asked about that command,
and the walk learns the answer and goes on. In the middle of a command they cannot be asked: then they are asked about everything
since the last record that was sure. Wagers that hardly ever lay together before are known one by one, whatever their amounts (`medley`).

In a long file whole rounds are taken many at once: what was learned is copied into an *atlas*, rows of numbers (`atlas`; of wagers known one by
one, `crowd`), and compiled code follows the lines (`sheets`) through it (`kernels.rounds` and `kernels.crowd`, called by `leap`, and `stride` says when).
Where every round has a full shoe of its own, the shoes of a run are checked together (`fresh_shoes`). What is not known there goes the way of the walk.

Nothing of the rules is written here a second time: forms are learned from them, hands are followed by the game's own
procedure, and rounds are put away by the table's own function, which is compared with the rules' result when it is learned. Should
the rules ever give two answers to one question at one spot, they are asked each time.
"""
