"""Many positions at once: exact scores, evaluations, and games."""

import numpy
import pytest

import flipside
from flipside import Board, Engine

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


def test_positions_are_solved_in_their_order():
    board = Board(ENDGAME)
    children = [board.play(move) for move in board.legal_moves]
    one = flipside.solve(children)
    two = flipside.solve(children, threads=2, hash=8)
    assert [solution.score for solution in one] == [solution.score for solution in two]
    assert max(-solution.score for solution in one) == 18
    for child, solution in zip(children, one):
        assert solution.move in child.legal_moves
        end = child.play(solution.line)
        assert end.is_over
        assert end.margin == abs(solution.score)


def test_one_position_one_solution():
    solution = flipside.solve(ENDGAME)
    assert (solution.score, solution.move) == (18, "g8")
    over = flipside.solve(Board("X" * 63 + "- O"))
    assert (over.score, over.move, over.line) == (-64, None, [])
    assert flipside.solve([]) == []


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(ValueError, match="position 2: .*64 squares"):
        flipside.solve([Board(), "XX"])
    with pytest.raises(ValueError, match="expected a board of reversi, saw one of minichess"):
        flipside.solve([Board(game="minichess")])
    with pytest.raises(ValueError, match="1 to 256"):
        flipside.solve([], threads=1000)
    with pytest.raises(TypeError):
        flipside.solve([5])


def test_an_array_is_worth_what_its_boards_are():
    boards = [Board(), Board(moves="f5"), Board(moves="f5 d6 c3"), Board("X" * 63 + "- O")]
    values = flipside.evaluate(boards)
    array = flipside.evaluate(numpy.array([board.discs for board in boards], dtype=numpy.uint64))
    assert isinstance(values, list) and array.dtype == numpy.float32 and array.shape == (4,)
    assert numpy.allclose(values, array)
    assert values[3] == -64 and abs(values[0]) < 3
    assert flipside.evaluate([board.position for board in boards]) == values
    assert flipside.evaluate(boards[:1], evaluation="discs") == [0.0]
    assert len(flipside.evaluate(numpy.zeros((0, 2), dtype=numpy.uint64))) == 0


def test_other_games_and_evaluations():
    chess = [Board(game="minichess"), Board(game="minichess", moves="b2-b3")]
    assert len(flipside.evaluate(chess)) == 2
    assert flipside.evaluate(chess[:1], evaluation="material") == [0.0]
    assert flipside.evaluate([], game="minichess") == []


def test_arrays_of_another_kind_are_refused():
    refused = [
        (numpy.zeros((3, 2)), "type uint64, saw .* float64"),
        (numpy.zeros((3, 3), dtype=numpy.uint64), r"shape \(n, 2\)"),
        (numpy.zeros(2, dtype=numpy.uint64), r"shape \(n, 2\)"),
        (numpy.array([[0, 0], [8, 8]], dtype=numpy.uint64), "row 1: both sides have a disc on d1"),
    ]
    for array, words in refused:
        with pytest.raises(ValueError, match=words):
            flipside.evaluate(array)
    with pytest.raises(ValueError, match="no evaluation 'magic'"):
        flipside.evaluate(numpy.zeros((1, 2), dtype=numpy.uint64), evaluation="magic")
    with pytest.raises(ValueError, match="position 2: "):
        flipside.evaluate([Board(), "XX"])
    with pytest.raises(ValueError, match="expected a board of reversi, saw one of minichess"):
        flipside.evaluate([Board(), Board(game="minichess")])
    with pytest.raises(TypeError, match="a list of positions"):
        flipside.evaluate(Board())


def test_what_each_move_of_a_game_cost():
    game = Board(moves="f5 f6 e6 f4")
    reports = flipside.analyze(game, depth=6)
    assert [report.move for report in reports] == ["f5", "f6", "e6", "f4"]
    assert [report.side for report in reports] == ["black", "white"] * 2
    assert all(report.loss >= 0 for report in reports)
    assert reports[0].number == 1 and reports[0].best in Board().legal_moves
    for moves in ("f5f6e6f4", ["f5", "f6", "e6", "f4"]):
        assert flipside.analyze(moves, depth=6) == reports
    with Engine("minichess", hash=1) as engine:
        assert [report.move for report in flipside.analyze("b2-b3", engine=engine, depth=3)] == ["b2-b3"]
    for wrong, error in ((5, TypeError), (None, TypeError), ("f5a1", ValueError)):
        with pytest.raises(error):
            flipside.analyze(wrong, depth=1)
    end = Board(ENDGAME)
    worst = min(end.legal_moves, key=lambda move: -flipside.solve(end.play(move)).score)
    report = flipside.analyze(end.play(worst), depth=60)[0]
    assert (report.best_score, report.exact) == (18.0, True)
    assert report.loss == 18 + flipside.solve(end.play(worst)).score
