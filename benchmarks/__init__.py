"""Measurements: rates, memory and how they grow; run with ``make bench``. Never asserted in tests."""
