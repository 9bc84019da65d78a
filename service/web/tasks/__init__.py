"""Tasks that may last or end badly: run in processes of their own, with limits that hold."""
