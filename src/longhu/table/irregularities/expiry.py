"""Games that stay in progress too long are cancelled and refunded (DBO-30D-1)."""
