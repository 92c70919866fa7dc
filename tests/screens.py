"""A screen of a game in the browser, for tests without one."""

from zermelo.ui.web.live_game import LiveGame


class Screen:
    """It shows nothing."""

    side, name = 0, ""

    def paint(self, game: LiveGame) -> None:
        pass

    def paint_soon(self, game: LiveGame) -> None:
        pass

    def address(self, query: str) -> None:
        pass
