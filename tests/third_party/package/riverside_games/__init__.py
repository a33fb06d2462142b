"""A casino's own games, as another package would bring them: game files beside an empty module.

Its entry point, in the group `longhu.games`, is one line: `riverside = riverside_games`.
"""
