"""What is done when something goes wrong: the document's procedure, and what it consists of."""
