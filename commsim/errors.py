"""What can be wrong, in one line each: every error of commsim derives from :class:`CommsimError`."""


class CommsimError(Exception):
    """Something a user can put right. The message is one line: what was wrong, where, what would be right."""


class InputError(CommsimError, ValueError):
    """An input, a size, a name or a file is not what was asked for."""
