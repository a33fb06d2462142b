"""Nominees: somebody who may wager, handle cards, or both, for a patron (D21-2.2)."""
