"""The table differential: by each document's own procedure (IDT-5.16, D21-5.13)."""
