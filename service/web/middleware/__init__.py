"""What every request passes: limits, default headers, logs, metrics, and the endpoints of operators."""
