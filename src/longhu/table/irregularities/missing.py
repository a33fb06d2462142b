"""A patron leaves with cards: the missing card is deduced from the composition (IDT-5.11)."""
