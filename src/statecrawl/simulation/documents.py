"""An application of several documents behind the browser port: links lead from one to another."""

from dataclasses import replace
from random import Random

from statecrawl.core.application import Application, Documents
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.snapshot import NEW_DOCUMENT, Effect, Event
from statecrawl.simulation.browser import SimulatedBrowser


class DocumentBrowser(SimulatedBrowser):
    """A tab that resets to URLs, and tells of links, loads and windows as a real one does.

    So a session finds entries on its way, and follows the links to a document once.
    """

    def __init__(self, application: Application, random: Random, documents: Documents) -> None:
        super().__init__(application, random)
        self._documents = documents

    def run(self, plan: Plan) -> Execution:
        """Execute the plan, and say what each step did besides leading to a page."""
        loads = plan.entry is not None
        if plan.entry is not None:
            entry = self._documents.loads.get(plan.entry)
            if entry is None:
                return Execution((), Halt.REFUSED)
            plan = plan._replace(entry=entry)
        execution = super().run(plan)
        fired = [step.event for step in plan.steps[: len(execution.snapshots) - loads]]
        effects = [Effect()] * loads + [self._effect(event) for event in fired]
        opened = [url for event in fired for url in self._documents.opened.get(event, ())]
        return execution._replace(effects=tuple(effects), opened=tuple(opened))

    def _effect(self, event: str) -> Effect:
        link = self._documents.links.get(event)
        return Effect((NEW_DOCUMENT,)) if link is not None and link.loads else Effect()

    def _event(self, identity: str) -> Event:
        event = super()._event(identity)
        link = self._documents.links.get(identity)
        if link is not None and not event.url:
            event = self._events[identity] = replace(event, url=link.url)
        return event
