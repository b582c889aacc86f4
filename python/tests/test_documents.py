"""The examples run, and the types are right."""

import doctest
import inspect
import pathlib
import runpy
import subprocess
import sys

import flipside

HERE = pathlib.Path(__file__).parent.parent


def test_the_examples_of_the_documents():
    assert doctest.testmod(flipside).failed == 0
    flags = doctest.ELLIPSIS
    assert doctest.testfile(str(HERE / "README.md"), module_relative=False, optionflags=flags).failed == 0


def test_the_tour(capsys):
    runpy.run_path(str(HERE / "examples" / "tour.py"))
    assert "discs" in capsys.readouterr().out


def test_everything_public_has_a_docstring():
    for name in flipside.__all__:
        thing = getattr(flipside, name)
        if callable(thing):
            assert inspect.getdoc(thing), name
    for kind in (flipside.Board, flipside.Engine):
        for name, member in vars(kind).items():
            assert name.startswith("_") or inspect.getdoc(member), f"{kind.__name__}.{name}"


def test_the_types_of_the_module_are_those_of_its_stubs():
    for tool in (["mypy", "--strict", "-p", "flipside"], ["mypy.stubtest", "flipside"]):
        run = subprocess.run([sys.executable, "-m", *tool], capture_output=True, text=True, cwd=HERE / "tests")
        assert run.returncode == 0, run.stdout + run.stderr
