"""A server that runs: its processes, its connections, the doors before every part, and what is told of requests."""
