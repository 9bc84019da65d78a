"""Which texts hold a provision: parts of texts, editions of whole texts, and where an undated part belongs."""
