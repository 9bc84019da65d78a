"""Questions: .rq files and typed answers."""
