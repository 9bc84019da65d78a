"""The words of the product in Portuguese and English: catalogues of messages by code, in gettext's format."""
