"""A tour of the module; the cells can be pasted into a notebook."""

# %% A position, a search.
import flipside

board = flipside.Board(moves="f5 d6 c3 d3 c4")
print(board)
with flipside.Engine(hash=16) as engine:
    found = engine.search(board, depth=10)
print(f"{found.move} is worth {found.score:+.2f} discs after {found.nodes} positions: {' '.join(found.line)}")

# %% A whole game of the engine against a weaker setting of itself.
with flipside.Engine(hash=16) as engine:
    game = flipside.Board()
    while not game.is_over:
        strength = 100 if game.side_to_move == "black" else 40
        move = engine.search(game, depth=6, strength=strength, seed=7).move
        game = game.play(move)
print(f"{game.winner} wins by {game.margin} discs: {' '.join(game.moves)}")

# %% What each move of it cost.
reports = flipside.analyze(game, depth=6)
for side in ("black", "white"):
    losses = [report.loss for report in reports if report.side == side]
    print(f"{side} lost {sum(losses) / len(losses):.2f} discs a move")

# %% The last twelve positions solved, two at a time.
positions = [game.start]
for move in game.moves:
    positions.append(positions[-1].play(move))
for solution in flipside.solve(positions[-12:], threads=2):
    print(f"{solution.score:+d} discs for the side to move, best {solution.move}")

# %% Alpha-beta node by node; a notebook draws the tree.
searched = flipside.trace(positions[-5], evaluation="discs", depth=3)
print(f"alpha-beta visits {searched.visited} of {searched.positions} nodes")

# %% Static evaluations of many positions at once; with numpy, of an array.
values = flipside.evaluate(positions)
print(f"{len(values)} positions, between {min(values):+.1f} and {max(values):+.1f} discs")
