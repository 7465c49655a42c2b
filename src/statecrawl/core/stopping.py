"""Why a crawl is over."""

from enum import StrEnum


class StopReason(StrEnum):
    """Why a crawl is over."""

    COMPLETE = "complete"  # every enabled event of every state was explored
    CONTENT = "content"  # likewise, but for those that would only combine known content anew
    NEAR_DUPLICATES = "near_duplicates"  # likewise, but for those that a state alike offers, too
    ENDLESS = "endless"  # likewise, but for those that only add more of the same again and again
    PASSED_BY = "passed_by"  # likewise, but for those that `attention` says are never fired
    DOCUMENTS = "documents"  # likewise, but for links to other documents, which were left out
    GAVE_UP = "gave_up"  # some could not be reached any more
    MAX_STATES = "max_states"
    MAX_EVENTS = "max_events"
    MAX_SECONDS = "max_seconds"
    MAX_MEMORY = "max_memory"
    MAX_DEPTH = "max_depth"
    MAX_STATES_PER_URL = "max_states_per_url"
    INTERRUPTED = "interrupted"
    APPLICATION_LOST = "application_lost"  # it does not answer any more
