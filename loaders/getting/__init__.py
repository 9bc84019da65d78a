"""Fetches what official sources publish of one norm: normas.leg.br, the Senate's open data, and Planalto."""
