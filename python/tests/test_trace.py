"""Traces of the textbook's searchers, and boards that draw themselves."""

import copy
import json
import math
import pickle
import re
from xml.etree import ElementTree

import pytest

import flipside
from flipside import Board

TREE = "(((1 5 6) (8 3)) (L (1 W)))"
QUEEN = Board("20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.", game="minichess")


def title(svg):
    """The alternative text of a picture, which must be well formed."""
    return ElementTree.fromstring(svg).find("{http://www.w3.org/2000/svg}title").text


def test_a_tree_is_traced_as_the_program_prints_it():
    found = flipside.trace(TREE)
    assert (found.algorithm, found.value, found.bound) == ("alphabeta", 6, "exact")
    assert (found.visited, found.positions, found.again, found.beside) == (10, 14, 0, 0)
    assert str(found).splitlines()[0] == "max 6[L,W] =" and str(found).splitlines()[-1] == found.summary
    assert found.summary == "value 6, visited 10 of 14"
    assert "cut 2 8 >= beta 6: Min already has 6 elsewhere, so Max never gets here (8 at 1.2.1, 6 at 1.1)" in found.steps
    assert repr(found) == "Trace(alphabeta: value 6, visited 10 of 14)"
    assert found.tree["children"][0]["value"] == 6 and json.loads(found.json)["visited"] == 10


def test_a_trace_draws_itself():
    found = flipside.trace(TREE)
    assert title(found._repr_svg_()) == "alphabeta: value 6, visited 10 of 14"
    assert 'role="img"' in found.svg
    wide = flipside.trace(Board(), depth=4, evaluation="positional")
    assert int(re.search(r'width="(\d+)"', wide.svg).group(1)) <= 1600
    folded = flipside.trace(TREE, fold=1)
    assert folded.svg.count("<polygon") == 3 and folded.diagram == found.diagram
    assert flipside.trace(TREE, most_nodes=3).svg.count('class="node"') == 3


def test_boards_of_every_game_are_traced():
    for game, _ in flipside.games():
        assert flipside.trace(Board(game=game), depth=1).value is not None, game
    assert flipside.trace(QUEEN, evaluation="material-ratio").value == 0.9
    over = flipside.trace(Board(game="tic-tac-toe", moves="a1 b1 a2 b2 a3"))
    assert (over.value, over.visited) == (-math.inf, 1), "X has won, and O, whose turn it would be, is Max"
    after = Board(game="tic-tac-toe", moves="a1 b1 a2 b2")
    assert flipside.trace(after, depth=9).value == math.inf
    assert flipside.trace(after, depth=9, root="min").value == -math.inf


def test_searchers_orders_and_techniques_go_by_the_programs_words():
    values = {name: flipside.trace(TREE, algorithm=name).value for name in ("minimax", "alphabeta-hard", "negamax", "scout", "pvs")}
    assert set(values.values()) == {6}
    assert flipside.trace(TREE, algorithm="scout").again > 0
    assert flipside.trace(TREE, order="perfect").visited <= flipside.trace(TREE, order="reverse").visited
    assert flipside.trace(TREE, window="2,5").bound == "at least"
    assert flipside.trace(TREE, root="min").tree["player"] == "min"
    chess = Board(game="minichess")
    plain = flipside.trace(chess, algorithm="pvs", evaluation="material", depth=4)
    null_move = flipside.trace(chess, algorithm="pvs", evaluation="material", depth=4, techniques=["null-move"])
    assert null_move.visited < plain.visited and null_move.beside > 0
    # The last iteration is that of the deepest leaf; the root has an aspiration window from depth 4 on.
    assert flipside.trace(TREE, algorithm="pvs", deepen=True).diagram.startswith("depth 3 [L,W]: 6")
    assert flipside.trace(TREE, algorithm="pvs", deepen=True, depth=4).diagram.startswith("depth 4 [3,9]: 6")
    deepened = flipside.trace(TREE, algorithm="pvs", deepen=True, depth=4, without=["aspiration"])
    assert deepened.diagram.startswith("depth 4 [L,W]: 6")
    lines = Board("oxxxoo... x", game="tic-tac-toe")
    assert "#1" in flipside.trace(lines, algorithm="minimax", depth=9, graph=True).diagram
    assert "(table)" in flipside.trace(Board("xo....... x", game="tic-tac-toe"), algorithm="minimax", depth=4, table=True).diagram
    sampled = flipside.trace("((W L) (W W))", algorithm="uct", playouts=300)
    assert (sampled.value, sampled.positions) == (0.93, None)


def test_traces_are_compared_copied_and_pickled():
    found = flipside.trace(TREE)
    assert found == flipside.trace(TREE) != flipside.trace(TREE, algorithm="minimax")
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: flipside.trace("(1 2"), "line 1, column 5"),
        (lambda: flipside.trace("(1 ?)"), "a leaf marked . was visited"),
        (lambda: flipside.trace(TREE, algorithm="magic"), "expected one of minimax"),
        (lambda: flipside.trace(TREE, order="rule"), "only MiniChess has it"),
        (lambda: flipside.trace(TREE, root="both"), "max or min"),
        (lambda: flipside.trace(TREE, window="5,2"), "alpha must be below beta"),
        (lambda: flipside.trace(TREE, techniques=["probcut"]), "alphabeta has none"),
        (lambda: flipside.trace(TREE, algorithm="pvs", techniques=["probcut"]), "the game has no probcut"),
        (lambda: flipside.trace(TREE, algorithm="pvs", without=["speed"]), "saw 'speed'"),
        (lambda: flipside.trace(TREE, depth=-1), "depth is -1, should be 0 to 100"),
        (lambda: flipside.trace(TREE, most_nodes=0), "most_nodes is 0"),
        (lambda: flipside.trace(Board(), evaluation="magic"), "no evaluation 'magic'"),
        (lambda: flipside.trace(Board(), depth=9), "more than 100000 positions"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_wrong_types_are_type_errors():
    with pytest.raises(TypeError, match="or a Board, saw int"):
        flipside.trace(5)
    for wrong in ({"depth": "deep"}, {"techniques": "null-move"}, {"tree": TREE, "searcher": "scout"}):
        with pytest.raises(TypeError):
            flipside.trace(**{"tree": TREE, **wrong})


def test_boards_and_games_draw_themselves():
    start = Board()._repr_svg_()
    assert title(start) == "reversi; black to move; black 2, white 2"
    assert 'class="number"' not in start and start.count('class="black"') == 2
    game = Board(moves="f5 d6 c3")._repr_svg_()
    assert game.count('class="number"') == 3
    assert title(game).endswith("white to move; black 5, white 2")
    assert "; o wins" in title(Board(game="tic-tac-toe", moves="a1 b1 c3 b2 a2 b3")._repr_svg_())
    for name, _ in flipside.games():
        board = Board(game=name)
        assert (board._repr_svg_() is None) == (board.rows is None), name
        if board.rows is not None:
            assert name in title(board._repr_svg_())
