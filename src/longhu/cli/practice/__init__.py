"""A table and a reading shoe to practise with: `longhu play` and `longhu shoe simulate`."""
