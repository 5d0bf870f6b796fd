"""Two bots in Python, to start from.

    fernzug arena examples/first_bot.py:Longest greedy --board london --games 100
    fernzug play --board london --against examples/first_bot.py:Careful

``docs/first-bot.md`` explains the first of them step by step.
"""

from fernzug.bots import Bot


class Longest(Bot):
    """Claims the longest route it can pay for, and otherwise draws from the deck."""

    def choose(self, view, legal):
        """Return one of the legal actions."""
        claims = [action for action in legal if action.kind == "claim"]
        return max(claims, key=self.length, default=legal[0])

    def length(self, action):
        """How long the claimed route is."""
        return self.board.routes[action.route].length


class Careful(Longest):
    """As above, but it takes only long routes while it has pieces enough, and saves wild cards.

    ``least`` is the length of the shortest route that it cares to claim.
    """

    def __init__(self, board, seed=0, least=3):
        super().__init__(board, seed)
        self.least = least

    def choose(self, view, legal):
        """Return one of the legal actions."""
        claims = [action for action in legal if action.kind == "claim"]
        if view.turns_left is None:
            claims = [action for action in claims if self.length(action) >= self.least]
        if claims:
            return max(claims, key=lambda action: (self.length(action), -self.wilds(action)))
        draws = [action for action in legal if action.kind == "draw" and action.color != "wild"]
        return max(draws, key=lambda action: self.held(view, action), default=legal[0])

    def wilds(self, action):
        """How many wild cards a claim costs."""
        return action.cards.get("wild", 0)

    def held(self, view, action):
        """How many cards of the drawn colour are in hand already."""
        return view.players[view.viewer].hand.get(action.color, 0)
