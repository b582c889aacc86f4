"""The notebooks of the course run, hold no results, and draw pictures."""

import pathlib

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "docs" / "course").glob("*.ipynb"))


def test_there_is_one_notebook_a_chapter():
    chapters = sorted(path.stem for path in NOTEBOOKS[0].parent.glob("[0-9]-*.md"))
    assert [path.stem for path in NOTEBOOKS] == chapters and len(chapters) == 8


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "clear the results before you commit"
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    pictures = [output for cell in code for output in cell.outputs if "image/svg+xml" in output.get("data", {})]
    assert pictures and all("<title>" in picture["data"]["image/svg+xml"] for picture in pictures)
