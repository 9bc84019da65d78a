"""The axes of time, the statuses of periods, and the situations that sources state."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from ontology.namespaces import VIG

#: The publication of EC 32/2001. A provisional measure issued before it, and in force then, stays in force until it is
#: revoked or Congress decides on it (art. 2). The lapse of a later one undoes its changes (Constitution, art. 62 § 3).
EC_32_2001 = date(2001, 9, 12)


class Axis(StrEnum):
    """The axis of a period (docs/explanation/time.md): force (`vigencia`) or efficacy (`eficacia`)."""

    FORCE = "force"
    EFFICACY = "efficacy"


#: The concept of each axis.
AXES = {Axis.FORCE: VIG["forca"], Axis.EFFICACY: VIG["eficacia"]}


class Status(StrEnum):
    """The status of an answer, in the order in which the cases are evaluated (docs/explanation/time.md)."""

    UNKNOWN_NAME = "unknown-name"
    NO_SUCH_PROVISION = "no-such-provision"
    NOT_PUBLISHED = "not-published"
    VACATIO = "vacatio"
    IN_FORCE = "in-force"
    IN_PROGRESS = "in-progress"
    DECIDED = "decided"
    SUSPENDED = "suspended"
    REVOKED = "revoked"
    ANNULLED = "annulled"
    EXPIRED = "expired"
    CONVERTED = "converted"
    VETOED = "vetoed"
    UNKNOWN = "unknown"

    @property
    def stands(self) -> bool:
        """Whether a version applies: it is in force, or it is the text of a bill in progress or of a judgment."""
        return self in {Status.IN_FORCE, Status.IN_PROGRESS, Status.DECIDED}

    @property
    def names_nothing(self) -> bool:
        """Whether there is nothing of that name: no source mentions it, or its norm has no such provision."""
        return self in {Status.UNKNOWN_NAME, Status.NO_SUCH_PROVISION}


#: Statuses that only a restoration ends.
ENDED = (Status.REVOKED, Status.ANNULLED, Status.EXPIRED, Status.CONVERTED, Status.VETOED)

#: The concept for the reason why no version applies.
SITUATIONS = {
    Status.VACATIO: VIG["vacatio"],
    Status.SUSPENDED: VIG["suspensa"],
    Status.REVOKED: VIG["revogada"],
    Status.ANNULLED: VIG["anulada"],
    Status.EXPIRED: VIG["expirada"],
    Status.CONVERTED: VIG["convertida"],
    Status.VETOED: VIG["vetada"],
    Status.UNKNOWN: VIG["indeterminada"],
}

#: The concepts of the statuses of documents that are no norms, by status. No triple states them: the type decides.
STANDING = {"in-progress": VIG["emTramitacao"], "decided": VIG["decidida"]}


class Situation(StrEnum):
    """The statement of a source on a wording besides its text: ``TipoSituacao`` (LexML part 3, annex 1)."""

    OMISSIS = "omissis"
    REVOGADO = "revogado"
    SUSPENSO = "suspenso"
    VETADO = "vetado"
    SUPERADO = "superado"
