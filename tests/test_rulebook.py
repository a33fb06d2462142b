"""Every clause is accounted for: shown by a test, left to people with a reason, or on the list still to come."""
