"""The provider of OAI-PMH 2.0 at ``/oai``: what a store publishes (docs/how-to/publicar.md)."""
