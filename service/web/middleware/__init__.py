"""ASGI middleware for every request: limits, default headers, logs and metrics. Also the monitoring endpoints."""
