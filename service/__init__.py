"""The interfaces of Vigente: the command line and the HTTP service. They only present the answers of ``queries``."""
