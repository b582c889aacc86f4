"""Boards: rules, text, equality, and what is refused."""

import copy
import inspect
import pickle

import pytest

import flipside
from flipside import Board


def test_the_start_of_every_game():
    for game, evaluations in flipside.games():
        board = Board(game=game)
        assert board.game == game and not board.is_over and board.legal_moves
        assert isinstance(evaluations, list)
    assert Board().legal_moves == ["d3", "c4", "f5", "e6"]
    assert Board(game="minichess").legal_moves[0] == "a2-a3"


def test_moves_are_played_and_remembered():
    board = Board(moves="f5d6 c3").play("d3").play(["c4", "f4"]).play("c5b3c2")
    assert board.opening == "Rose-Bill"
    assert board.moves[:4] == ["f5", "d6", "c3", "d3"]
    assert board.start == Board()
    assert (board.side_to_move, board.points) == ("white", (10, 3))
    assert Board().play("f5").play("d6") == Board(moves=["f5", "d6"])


def test_ends_and_passes():
    over = Board("X" * 63 + "- O")
    assert (over.is_over, over.winner, over.margin, over.legal_moves) == (True, "black", 64, [])
    forced = Board("XO-----O".ljust(64, "-") + " O")
    assert forced.legal_moves == ["pass"]
    after = forced.play("pass")
    assert (after.side_to_move, after.moves) == ("black", ["pass"])
    assert after.play("c1").moves == ["pass", "c1"]


def test_text_equality_and_copies():
    board = Board(moves="f5 d6")
    same = Board(board.position)
    assert board == same and hash(board) == hash(same) and board != Board()
    assert Board() != Board(game="reversi-6x6")
    assert eval(repr(board)) == board
    assert "a b c d e f g h" in str(board)
    for other in (copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other == board and other.moves == ["f5", "d6"]


def test_discs_are_sets_of_squares():
    own, other = Board().discs
    assert (own, other) == (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
    with pytest.raises(AttributeError, match="discs are those of reversi, this is a board of minichess"):
        Board(game="minichess").discs


def test_boards_of_every_game_can_be_inspected():
    for game, _ in flipside.games():
        members = dict(inspect.getmembers(Board(game=game)))
        assert members["game"] == game
        assert hasattr(Board(game=game), "discs") == (game == "reversi")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Board("XX"), "expected 64 squares"),
        (lambda: Board(moves="a1"), "illegal move: a1"),
        (lambda: Board().play("pass"), "illegal move"),
        (lambda: Board(game="chess"), "one of reversi, minichess"),
        (lambda: Board("nonsense", game="minichess"), "bad position"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_wrong_types_are_type_errors():
    for wrong in (5, b"f5", {"f5": 1}, ["f5", 6]):
        words = f"expected moves such as 'f5' or 'f5 d6', or a list of them, saw {type(wrong).__name__}"
        for call in (lambda: Board(moves=wrong), lambda: Board().play(wrong)):
            with pytest.raises(TypeError, match=words):
                call()
    with pytest.raises(TypeError, match="expected a Board, or the text of a position, saw int"):
        flipside.perft(5, 2)
    with pytest.raises(TypeError):
        Board(position=["X"])
    assert (Board() == 5) is False
