# Made by `python -m scripts.stubs`.
# mypy: disable-error-code="misc, overload-overlap"
from dataclasses import dataclass as dataclass
from dataclasses import field as field
from vigente.types import Span as Span
__all__ = ['BadDate', 'BadEpigraph', 'BadInput', 'BadName', 'BadParameter', 'BadProviders', 'BadQuery', 'BadRecord', 'BadRequest', 'BadSettings', 'EndpointProblem', 'NoSuchProvision', 'NotAStore', 'NotYetKnown', 'PoolBroken', 'StoreDamaged', 'StoreLocked', 'StoreMissing', 'StoreProblem', 'UnknownName', 'VigenteError']
class BadDate(VigenteError):
    text: str
class VigenteError(Exception):
    ...
class BadEpigraph(BadName):
    ...
class BadName(VigenteError):
    problem: str
    text: str
    span: Span
    code: str
    section: str
class BadInput(VigenteError):
    ...
class BadParameter(VigenteError):
    ...
class BadProviders(VigenteError):
    ...
class BadQuery(VigenteError):
    ...
class BadRecord(VigenteError):
    code: str
    problem: str
    expected: str
class BadRequest(VigenteError):
    ...
class BadSettings(VigenteError):
    ...
class EndpointProblem(StoreProblem):
    ...
class StoreProblem(VigenteError):
    ...
class NoSuchProvision(UnknownName):
    on: str
    nearest: str | None
class UnknownName(VigenteError):
    name: str
    is_unmentioned: bool
class NotAStore(StoreProblem):
    ...
class NotYetKnown(BadParameter):
    ...
class PoolBroken(VigenteError):
    label: str
class StoreDamaged(StoreProblem):
    ...
class StoreLocked(StoreProblem):
    ...
class StoreMissing(StoreProblem):
    ...
