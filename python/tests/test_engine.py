"""Searches: limits, events, ends, errors, memory."""

import copy
import math
import os
import pickle
import signal
import sys
import threading
import time

import pytest

import flipside
from flipside import Board, Engine

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


def test_the_fingerprints_are_those_of_every_other_system():
    assert flipside.bench() == 250183
    assert flipside.bench("minichess") == 830333
    with pytest.raises(ValueError, match="one of reversi, minichess"):
        flipside.bench("go")


def test_a_search_reports_its_iterations():
    board, depths = Board(moves="f5 d6 c3"), []
    with Engine() as engine:
        found = engine.search(board, depth=6, on_iteration=lambda iteration: depths.append(iteration.depth))
    assert depths == [1, 2, 3, 4, 5, 6] and found.depth == 6
    assert found.move in board.legal_moves and found.line[0] == found.move
    assert abs(found.score) < 10 and found.certainty.startswith("mid") and not found.is_exact
    assert found.nodes > 100 and found.time > 0
    assert sum(found.wdl) == 1000 and found.lines[0].wdl == found.wdl


def test_several_lines_and_chosen_moves():
    with Engine(hash=4) as engine:
        found = engine.search(depth=4, lines=4)
        assert sorted(iteration.line[0] for iteration in found.lines) == ["c4", "d3", "e6", "f5"]
        assert [iteration.rank for iteration in found.lines] == [1, 2, 3, 4]
        assert engine.search(depth=4, moves=["e6"]).move == "e6"
        assert engine.search(depth=4, moves="C4").move == "c4"


def test_an_endgame_is_played_out_and_a_finished_game_has_no_move():
    with Engine(hash=4) as engine:
        found = engine.search(ENDGAME, time=math.inf)
        assert (found.move, found.score, found.is_exact) == ("g8", 18.0, True)
        over = engine.search("X" * 63 + "- O")
        assert over.move is None and over.line == []


def test_every_game_is_searched():
    for game, evaluations in flipside.games():
        for evaluation in ["default", *evaluations]:
            with Engine(game, evaluation=evaluation, hash=1) as engine:
                board = Board(game=game)
                assert engine.search(board, depth=2).move in board.legal_moves


def test_a_search_that_nothing_limits_has_two_seconds():
    with Engine("minichess", hash=1) as engine:
        assert engine.search().time >= 1.9
        assert engine.search(lines=2, seed=5).time >= 1.9


def test_results_are_compared_copied_and_pickled():
    with Engine(hash=1) as engine:
        heard = []
        found = engine.search(depth=4, lines=2, on_iteration=heard.append)
        over = engine.search("X" * 63 + "- O")
    results = [found, over, heard[0], flipside.solve(ENDGAME), *flipside.analyze("f5d6", depth=2)]
    for result in results:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(result, protocol)) == result
        assert copy.deepcopy(result) == result
    assert found != over


def test_a_search_without_end_is_stopped_from_another_thread():
    engine, depths = Engine(hash=8), []
    stopper = threading.Thread(target=lambda: (wait_for(depths), engine.stop()))
    stopper.start()
    found = engine.search(time=math.inf, on_iteration=lambda iteration: depths.append(iteration.depth))
    stopper.join()
    assert found.move in Board().legal_moves and depths


def test_on_iteration_may_stop_the_search():
    engine = Engine(hash=4)
    found = engine.search(on_iteration=lambda iteration: iteration.depth >= 5 and engine.stop())
    assert found.depth >= 5
    engine.stop()
    assert engine.search(depth=3).depth == 3, "a stop concerns no later search"


def test_an_exception_of_on_iteration_ends_the_search():
    class Enough(Exception):
        pass

    def hear(iteration):
        raise Enough

    engine = Engine(hash=4)
    with pytest.raises(Enough):
        engine.search(on_iteration=hear)
    assert engine.search(depth=3).depth == 3


def test_other_threads_run_meanwhile_and_an_engine_makes_one_search_at_a_time():
    engine, depths, refusals = Engine(hash=8), [], []

    def meanwhile():
        wait_for(depths)
        for call in (lambda: engine.search(depth=1), engine.clear, engine.close):
            try:
                call()
            except RuntimeError as error:
                refusals.append(str(error))
        engine.stop()

    other = threading.Thread(target=meanwhile)
    other.start()
    engine.search(time=math.inf, on_iteration=lambda iteration: depths.append(iteration.depth))
    other.join()
    assert len(refusals) == 3 and "is searching" in refusals[0]


@pytest.fixture
def ctrl_c():
    """Python's own handler: a process that a shell starts in the background ignores Ctrl-C, and so did these tests, for ever."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system has no pthread_kill")
@pytest.mark.parametrize("job", ["search", "solve", "perft"])
def test_ctrl_c_ends_what_takes_long(job):
    jobs = {
        "search": lambda: Engine(hash=4).search(time=math.inf),
        "solve": lambda: flipside.solve([Board()] * 3, threads=2, hash=4),
        "perft": lambda: flipside.perft(Board(), 25),
    }
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        jobs[job]()
    timer.join()
    assert Engine(hash=1).search(depth=2).depth == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda engine: engine.search(depth=0), "depth is 0, should be 1 to"),
        (lambda engine: engine.search(depth=-1), "depth is -1"),
        (lambda engine: engine.search(nodes=0), "nodes is 0"),
        (lambda engine: engine.search(time=-1), "should be seconds, 0 or more"),
        (lambda engine: engine.search(time=math.nan), "should be seconds"),
        (lambda engine: engine.search(strength=101), "0 to 100"),
        (lambda engine: engine.search(elo=9000), "elo is 9000, should be 500 to 2080"),
        (lambda engine: engine.search(lines=0), "1 to 64"),
        (lambda engine: engine.search(moves=["a1"]), "not a legal move here: d3 c4 f5 e6"),
        (lambda engine: engine.search("nonsense"), "expected 64 squares"),
        (lambda engine: engine.search(Board(game="minichess")), "expected a board of reversi, saw one of minichess"),
        (lambda engine: Engine("chess"), "one of reversi, minichess"),
        (lambda engine: Engine(evaluation="magic"), "no evaluation 'magic'"),
        (lambda engine: Engine(hash=0), "hash is 0, should be 1 to 65536"),
        (lambda engine: Engine(threads=0), "1 to 256"),
        (lambda engine: Engine(weights="/nowhere/at/all"), "cannot use the weights"),
        (lambda engine: flipside.perft(Board(), 31), "0 to 30"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(call, words):
    engine = Engine(hash=1)
    with pytest.raises(ValueError, match=words):
        call(engine)
    assert engine.search(depth=2).depth == 2, "an error leaves the engine whole"


def test_wrong_types_are_type_errors():
    engine = Engine(hash=1)
    for wrong in ({"depth": "deep"}, {"depth": 2.5}, {"dpeth": 2}, {"board": 5}, {"depth": 2, "on_iteration": 7}):
        with pytest.raises(TypeError):
            engine.search(**wrong)


def test_a_closed_engine_says_so():
    with Engine(hash=1) as engine:
        assert engine.game == "reversi"
    engine.close()
    with pytest.raises(ValueError, match="closed"):
        engine.search(depth=1)


def test_perft_counts_by_the_games_rule():
    assert [flipside.perft(Board(), depth) for depth in (0, 1, 6)] == [1, 4, 8200]
    # A game that ends before the depth has no leaf there.
    assert flipside.perft(Board(game="tic-tac-toe"), 9) == 127872
    assert flipside.perft(Board().position, 5) == 1396


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_engine_from_before_a_fork_is_refused():
    engine = Engine(hash=1)
    child = os.fork()
    if child == 0:
        try:
            engine.search(depth=1)
        except RuntimeError as error:
            os._exit(0 if "fork" in str(error) and Engine(hash=1).search(depth=2).depth == 2 else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="resident memory is read from /proc")
def test_ten_thousand_engines_are_made_and_dropped_in_the_memory_of_a_few():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def use(count):
        for _ in range(count):
            Engine("tic-tac-toe", hash=1).search(depth=2)

    use(500)
    before = resident()
    use(10_000)
    assert resident() - before < 8 << 20


def wait_for(heard):
    while not heard:
        time.sleep(0.001)
