"""Cards drawn together, laid in the wrong order, exposed, or passed to the wrong person."""
