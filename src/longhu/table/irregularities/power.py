"""Power failure and malfunction (IDT-5.15, DBO-MALF-1)."""
