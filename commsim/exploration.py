"""How the protocol tree is found: by asking each party, at each node, what it does next on every input still possible.

A party is never shown the other's input, only the messages, so what is found is a protocol tree: a function of the
party's own input and the transcript.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.channel import Finish, Operation, Receive, Send, count_bits
from commsim.coins import Coins, SeededCoins
from commsim.faults import LocalityFault, NotBits, OutputFault, ProgramError, ProtocolFault, TurnDependsOnInput
from commsim.party import Party
from commsim.protocol import Protocol, check_ends, outputs
from commsim.transcript import Message, PartyName, Path, format_path
from commsim.tree import Leaf, ProtocolTree

#: on a path of the tree; a replay takes as many steps, so a long path takes their square
MOST_MESSAGES = 2**9
Fault = TypeVar("Fault", bound=ProtocolFault)


def explore(protocol: Protocol, coins: Coins | None = None, batched: bool | None = None) -> ProtocolTree:
    """The protocol tree over all inputs; the arguments and errors are those of :func:`walk`."""
    return ProtocolTree(protocol, list(walk(protocol, coins, batched)))


@dataclass(frozen=True)
class _Node:
    path: Path
    indices: dict[PartyName, Integers]


def walk(protocol: Protocol, coins: Coins | None = None, batched: bool | None = None) -> Iterator[Leaf]:
    """The leaves of the protocol tree, in the order of their transcripts, one at a time.

    Args:
        protocol: any protocol; for a randomized one the tree is that of one outcome of the coins.
        coins: that outcome; seed 0 if not given.
        batched: whether whole rectangles are asked at once; by default if the protocol opts in. The tree is the same.

    Raises:
        ProtocolFault: the protocol broke a rule; its subclass says which.
        InputError: too many inputs to list.
    """
    explorer = _Explorer(protocol, coins or SeededCoins(0), protocol.batched if batched is None else batched)
    stack = [explorer.root()]
    while stack:
        node = stack.pop()
        children = explorer.expand(node)
        if isinstance(children, Leaf):
            yield children
        else:
            stack.extend(reversed(children))


class _Explorer:
    def __init__(self, protocol: Protocol, coins: Coins, batched: bool) -> None:
        self.protocol = protocol
        self.coins = coins
        self.batched = batched
        function = protocol.function
        self.domains = {"alice": function.alice_inputs, "bob": function.bob_inputs}
        # inputs along the last axis, so that taking some of them keeps columns contiguous
        self.inputs = {name: np.moveaxis(domain.all(), 0, -1) for name, domain in self.domains.items()}
        self.batch_first = {name: (stored.ndim - 1, *range(stored.ndim - 1)) for name, stored in self.inputs.items()}

    def root(self) -> _Node:
        return _Node((), {"alice": np.arange(self.domains["alice"].size), "bob": np.arange(self.domains["bob"].size)})

    def expand(self, node: _Node) -> list[_Node] | Leaf:
        """The children of a node, or the leaf that it is."""
        try:
            return self._expand(node)
        except ProtocolFault as fault:
            if fault.x is not None:
                raise
            if self.batched and isinstance(fault, NotBits | OutputFault | ProgramError):
                # input by input, such a fault is found at the very input that has it
                _Explorer(self.protocol, self.coins, batched=False).expand(_Node(node.path, node.indices))
            raise self._locate(fault, node) from fault.__cause__

    def _expand(self, node: _Node) -> list[_Node] | Leaf:
        pending: dict[PartyName, Operation] = {
            "alice": self._view("alice", node).pending(),
            "bob": self._view("bob", node).pending(),
        }
        sender = self.protocol.next_sender(pending["alice"], pending["bob"])
        if sender is None:
            return self._leaf(node, pending)
        sent = pending[sender]
        assert isinstance(sent, Send)
        check_ends(node.path, MOST_MESSAGES)
        children = []
        for bits, members in group_by_message(sent.bits):
            path = (*node.path, Message.from_array(sender, bits))
            # replayed from the start: what the sender does next may depend on which of the messages it sent
            children.append(_Node(path, {**node.indices, sender: node.indices[sender][members]}))
        return children

    def _leaf(self, node: _Node, pending: dict[PartyName, Operation]) -> Leaf:
        alice, bob = pending["alice"], pending["bob"]
        assert isinstance(alice, Finish)
        assert isinstance(bob, Finish)
        try:
            output = self.protocol.answer(alice.output, bob.output, node.path, self.coins)
        except OutputFault as fault:
            raise self._locate(fault, node, _disagreement(node, alice.output, bob.output)) from fault.__cause__
        return Leaf(node.path, node.indices["alice"], node.indices["bob"], output)

    def _view(self, name: PartyName, node: _Node) -> "_View":
        """The party on each input at the node, brought there by replaying the transcript."""
        indices = node.indices[name]
        stored = self.inputs[name]
        if self.batched:
            rows = stored if len(indices) == stored.shape[-1] else stored.take(indices, axis=-1)
            return _View(
                [self._replay(name, rows.transpose(self.batch_first[name]), len(indices), node)], indices, node, self
            )
        parties = []
        for index in indices:
            try:
                parties.append(self._replay(name, stored[..., index].copy(), None, node))
            except ProtocolFault as fault:
                raise self._locate(fault, node, {name: index}) from fault.__cause__
        return _View(parties, indices, node, self)

    def _replay(self, name: PartyName, inputs: Array, batch: int | None, node: _Node) -> Party:
        try:
            return replay(self.protocol, name, inputs, node.path, self.coins, batch)
        except LocalityFault as fault:
            if not self.batched:  # the caller knows the input
                raise
            raise self._locate(fault, node, {name: node.indices[name][fault.row]}) from None

    def _locate(self, fault: Fault, node: _Node, index: dict[PartyName, int] | None = None) -> Fault:
        chosen = {name: indices[0] for name, indices in node.indices.items()} | (index or {})
        x, y = (self.inputs[name][..., chosen[name]] for name in ("alice", "bob"))
        return fault.located(self.protocol.n, *self.protocol.format_pair(x, y), node.path)


class _View:
    """One party at one node, on all inputs of the node's rectangle: one batch, or one run an input."""

    def __init__(self, parties: list[Party], indices: Integers, node: _Node, explorer: _Explorer) -> None:
        self._parties = parties
        self._indices = indices
        self._node = node
        self._explorer = explorer

    def pending(self) -> Operation:
        """What the party does next, on all the inputs as one operation."""
        operations = [party.pending for party in self._parties]
        first = operations[0]
        for index, other in zip(self._indices, operations, strict=False):
            if type(other) is not type(first) or getattr(other, "length", 0) != getattr(first, "length", 0):
                self._refuse(first, int(index), other)
        if len(operations) == 1 and not isinstance(first, Finish):
            return first
        if isinstance(first, Send):
            return Send(np.concatenate([operation.bits for operation in operations if isinstance(operation, Send)]))
        if isinstance(first, Receive):
            return first
        return Finish(self._outputs([operation.output for operation in operations if isinstance(operation, Finish)]))

    def _outputs(self, returned: list[object]) -> Array | None:
        """None if the party need not know the answer, or returns None on every input."""
        name = self._parties[0].name
        if not self._explorer.protocol.knows(name) or all(output is None for output in returned):
            return None
        if self._explorer.batched:
            return outputs(name, returned[0], len(self._indices))
        values = []
        for index, output in zip(self._indices, returned, strict=True):
            try:
                values.append(outputs(name, output))
            except OutputFault as fault:
                raise self._explorer._locate(fault, self._node, {name: index}) from fault.__cause__
        return np.concatenate(values)

    def _refuse(self, first: Operation, index: int, other: Operation) -> None:
        name = self._parties[0].name
        domain, inputs = self._explorer.domains[name], self._explorer.inputs[name]
        one, two = (domain.format(inputs[..., place]) for place in (self._indices[0], index))
        fault = TurnDependsOnInput(
            f"what {name} does next depends on more than the transcript: on input {one} it {_describe(first)},"
            f" on input {two} it {_describe(other)}"
        )
        raise self._explorer._locate(fault, self._node, {name: index})


def replay(
    protocol: Protocol, name: PartyName, inputs: Array, path: Path, coins: Coins, batch: int | None = None
) -> Party:
    """One party brought by itself, without the other, to where a transcript leads.

    Args:
        protocol: the protocol.
        name: which party.
        inputs: its input, or a batch of inputs.
        path: the transcript so far.
        coins: their outcome.
        batch: the number of inputs in the batch.

    Raises:
        LocalityFault: it does something else than the transcript says.
    """
    # a view, because the party makes its inputs read-only
    party = Party(name, protocol.program(name), inputs.view(), protocol.channel(name, coins, batch))
    for place, message in enumerate(path):
        pending = party.pending
        if message.sender == name:
            if (
                not isinstance(pending, Send)
                or pending.length != len(message.bits)
                or (pending.bits != message.array).any()
            ):
                raise _unlike_before(name, pending, path, place)
            party.resume(None)
        elif protocol.communication != "simultaneous":
            if not isinstance(pending, Receive) or pending.length != len(message.bits):
                raise _unlike_before(name, pending, path, place)
            party.resume(message.array)
    return party


def _unlike_before(name: PartyName, pending: Operation, path: Path, place: int) -> LocalityFault:
    message = path[place]
    row = 0
    if message.sender == name:
        before = f"sent {message.bits}"
        if isinstance(pending, Send) and pending.length == len(message.bits):
            row = int((pending.bits != message.array).any(axis=1).argmax())
            pending = Send(pending.bits[row : row + 1])
    else:
        before = f"waited for {count_bits(len(message.bits))}"
    after = f"after {format_path(path[:place])}" if place else "at the start"
    fault = LocalityFault(
        f"{name} behaves differently in two runs on the same input and the same transcript, {after}: in one it"
        f" {before}, in the other it {_describe(pending)}; a party may use only its own input, what it receives,"
        " and its coins"
    )
    fault.row = row
    return fault


def group_by_message(bits: Bits) -> list[tuple[Bits, Integers]]:
    """Each distinct row of an array of shape (batch, k), in lexicographic order, with the rows that hold it."""
    if bits.shape[1] == 1:
        members = [rows for rows in (np.flatnonzero(~bits[:, 0]), np.flatnonzero(bits[:, 0])) if len(rows)]
    else:
        packed = np.packbits(bits, axis=1)
        as_bytes = np.ascontiguousarray(packed).view(f"V{packed.shape[1]}")[:, 0]
        _, inverse, counts = np.unique(as_bytes, return_inverse=True, return_counts=True)
        order = np.argsort(inverse, kind="stable")
        members = np.split(order, np.cumsum(counts)[:-1])
    return [(bits[rows[0]], rows) for rows in members]


def _disagreement(node: _Node, alice: Array | None, bob: Array | None) -> dict[PartyName, int]:
    """The first pair of inputs on which the two outputs differ, if both give any."""
    if alice is None or bob is None:
        return {}
    column = int((bob != alice[0]).argmax())
    row = 0 if bob[column] != alice[0] else int((alice != bob[0]).argmax())
    return {"alice": node.indices["alice"][row], "bob": node.indices["bob"][column]}


def _describe(operation: Operation) -> str:
    if isinstance(operation, Send) and len(operation.bits) == 1:
        return f"sends {Message.from_array('alice', operation.bits[0]).bits}"
    return str(operation)
