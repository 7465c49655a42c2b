"""A group of commands whose first command is meant when none is named."""

from typing import Any

from typer.core import TyperGroup


class DefaultCommandGroup(TyperGroup):
    """`calibrate SET` means `calibrate sets SET`; `calibrate worker` is a command of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the first command's name before arguments that name none."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)
