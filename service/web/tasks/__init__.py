"""Tasks that may take long or crash. They run in worker processes, within limits."""
