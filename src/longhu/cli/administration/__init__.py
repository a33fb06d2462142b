"""What `longhu admin` does, one module a subject."""
