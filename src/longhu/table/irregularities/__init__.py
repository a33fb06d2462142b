"""Reports of what went wrong at the table, one module for each group of irregularities."""
