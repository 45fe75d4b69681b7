"""run.py, step by step with fakes: nothing here installs or downloads anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import textwrap
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

import run

Command = list[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project folder with requirement files; its environment would be made inside it."""
    (tmp_path / run.RUNTIME).write_text("one==1\n", encoding="utf-8")
    (tmp_path / run.DEVELOPMENT).write_text("one==1\ntwo==2\n", encoding="utf-8")
    monkeypatch.setattr(run, "ROOT", str(tmp_path))
    monkeypatch.setattr(run, "STAGES", ((("one",), ""),))
    monkeypatch.delenv("DPVIZ_VENV", raising=False)
    for name in ("CI", "SSH_CONNECTION", "DPVIZ_CHROMIUM", "CHROMIUM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def plant_environment(project: Path, version: str = "3.12.1") -> Path:
    """A .venv that looks made: a Python that starts, and its version on record."""
    folder = project / ".venv"
    python = Path(run.python_of(str(folder)))
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (folder / "pyvenv.cfg").write_text(f"home = somewhere\nversion = {version}\n", encoding="utf-8")
    return folder


def recorder(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Command], bool] = lambda _: True) -> list[Command]:
    """Replace every installing step by a note of what would have been called."""
    seen: list[Command] = []

    def attempt(command: Command, log: str) -> bool:
        seen.append(command)
        Path(log).write_text("a line of the log\n", encoding="utf-8")
        return answer(command)

    monkeypatch.setattr(run, "attempt", attempt)
    return seen


def handed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Command, dict[str, str], str | None]]:
    """Catch the command that run.py would become."""
    seen: list[tuple[Command, dict[str, str], str | None]] = []

    def hand_over(command: Command, environment: dict[str, str], folder: str | None = None) -> int:
        seen.append((command, environment, folder))
        return 0

    monkeypatch.setattr(run, "hand_over", hand_over)
    monkeypatch.setattr(run, "prepare", lambda name: f"python with {name}")
    return seen


class TestPython:
    @pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
    def test_supported_ones_pass(self, version: tuple[int, int]) -> None:
        run.check_python(version)

    @pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 2), (3, 15, 0)])
    def test_others_are_refused_in_a_sentence_that_says_what_to_do(
        self, version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(run.shutil, "which", lambda name: None)
        with pytest.raises(run.Stop, match=r"Python \d\.\d+; dpviz needs Python 3.11 to 3.14.\nInstall one"):
            run.check_python(version)

    def test_a_good_one_on_the_path_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run.shutil, "which", lambda name: "found" if name == "python3.13" else None)
        monkeypatch.setattr(run, "answers", lambda command: True)
        with pytest.raises(run.Stop, match=r"type: python3\.13 run\.py"):
            run.check_python((3, 9))

    def test_a_shim_that_does_not_start_is_not_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run.shutil, "which", lambda name: "shim")
        monkeypatch.setattr(run, "answers", lambda command: False)
        with pytest.raises(run.Stop, match="Install one"):
            run.check_python((3, 9))


class TestStamp:
    def test_a_fresh_folder_is_not_ready(self, project: Path) -> None:
        assert not run.is_ready(str(project / ".venv"), run.RUNTIME)

    def test_ready_after_the_stamp_and_until_the_requirements_change(self, project: Path) -> None:
        folder = str(plant_environment(project))
        run.write_stamp(folder, (run.RUNTIME,))
        assert run.is_ready(folder, run.RUNTIME)
        assert not run.is_ready(folder, run.DEVELOPMENT)
        (project / run.RUNTIME).write_text("one==2\n", encoding="utf-8")
        assert not run.is_ready(folder, run.RUNTIME)

    def test_line_ends_of_a_checkout_on_windows_change_nothing(self, project: Path) -> None:
        folder = str(plant_environment(project))
        run.write_stamp(folder, (run.RUNTIME,))
        (project / run.RUNTIME).write_bytes(b"one==1\r\n")
        assert run.is_ready(folder, run.RUNTIME)

    def test_another_python_or_a_vanished_one_is_not_ready(self, project: Path) -> None:
        folder = plant_environment(project)
        run.write_stamp(str(folder), (run.RUNTIME,))
        (folder / "pyvenv.cfg").write_text("version_info = 3.13.0\n", encoding="utf-8")
        assert not run.is_ready(str(folder), run.RUNTIME)
        (folder / "pyvenv.cfg").write_text("version_info = 3.12.1\n", encoding="utf-8")
        assert run.is_ready(str(folder), run.RUNTIME)
        Path(run.python_of(str(folder))).unlink()
        assert not run.is_ready(str(folder), run.RUNTIME)

    @pytest.mark.parametrize("text", ["", "not json", "[1]", '{"python": 3}'])
    def test_a_damaged_stamp_is_no_stamp(self, project: Path, text: str) -> None:
        folder = plant_environment(project)
        (folder / run.STAMP).write_text(text, encoding="utf-8")
        assert not run.is_ready(str(folder), run.RUNTIME)

    def test_windows_keeps_its_python_elsewhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run, "WINDOWS", True)
        assert run.python_of("place") == os.path.join("place", "Scripts", "python.exe")


class TestInstall:
    def test_uv_installs_and_the_stamp_covers_both_files(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = plant_environment(project)
        uv = Path(run.python_of(str(folder))).with_name("uv")
        uv.touch()
        seen = recorder(monkeypatch)
        run.prepare(run.DEVELOPMENT)
        start = [str(uv), "pip", "install", "--python", run.python_of(str(folder))]
        pins = str(project / run.DEVELOPMENT)
        assert seen == [[*start, "-c", pins, "one"], [*start, "-r", pins]]
        run.prepare(run.RUNTIME)
        run.prepare(run.DEVELOPMENT)
        assert len(seen) == 2

    def test_kernels_are_compiled_while_the_other_packages_come(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = plant_environment(project)
        Path(run.python_of(str(folder))).with_name("uv").touch()
        code = f"open({str(project / 'compiled')!r}, 'w').close()"
        monkeypatch.setattr(run, "STAGES", ((("one",), code),))
        recorder(monkeypatch)
        run.prepare(run.RUNTIME)
        assert (project / "compiled").exists()

    @pytest.mark.parametrize("code", [code for _, *codes in run.STAGES for code in codes])
    def test_compiling_a_stage_needs_only_the_packages_that_have_come(self, project_root: Path, code: str) -> None:
        """What an earlier package brings along by itself (pandas with streamlit) need not be named."""
        later = ("scipy.optimize", "scipy.stats", "sklearn", "matplotlib", "dask", "typer", "rich", "skimage")
        if code in run.STAGES[0]:
            later += ("polars", "opendp", "streamlit", "pydeck", "fsspec")
        wanted = f"import sys; {code}; print(sorted(set({later!r}) & set(sys.modules)))"
        result = subprocess.run(
            [sys.executable, "-c", wanted], cwd=project_root, capture_output=True, text=True, check=True
        )
        assert result.stdout == "[]\n"

    def test_kernels_that_do_not_compile_stop_nobody(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = plant_environment(project)
        Path(run.python_of(str(folder))).with_name("uv").touch()
        monkeypatch.setattr(run, "STAGES", ((("one",), "raise SystemExit(1)"),))
        recorder(monkeypatch)
        run.prepare(run.RUNTIME)
        assert run.is_ready(str(folder), run.RUNTIME)

    def test_users_do_not_get_the_test_tools(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        plant_environment(project)
        seen = recorder(monkeypatch)
        run.prepare(run.RUNTIME)
        assert seen[-1][-1] == str(project / run.RUNTIME)
        run.prepare(run.DEVELOPMENT)
        assert seen[-1][-1] == str(project / run.DEVELOPMENT)

    def test_pip_takes_over_where_uv_fails(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = plant_environment(project)
        Path(run.python_of(str(folder))).with_name("uv").touch()
        seen = recorder(monkeypatch, lambda command: command[1] == "-m")
        run.prepare(run.RUNTIME)
        assert [command[1] for command in seen] == ["pip", "pip", "-m"]
        assert run.is_ready(str(folder), run.RUNTIME)

    def test_a_failure_leaves_no_stamp_and_shows_the_end_of_the_log(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        plant_environment(project)
        recorder(monkeypatch, lambda command: False)
        monkeypatch.setitem(run.COMMANDS, "cli", lambda options: run.prepare(run.RUNTIME))
        assert run.main(["cli"]) == 1
        said = capsys.readouterr().err
        assert "a line of the log" in said
        assert "is the network there?" in said
        assert not run.is_ready(str(project / ".venv"), run.RUNTIME)

    def test_a_half_made_environment_is_made_again(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = project / ".venv"
        folder.mkdir()
        (folder / "made-by-dpviz").touch()
        (folder / "left").touch()
        seen = recorder(monkeypatch)
        run.make_environment(str(folder))
        assert seen == [[sys.executable, "-m", "venv", str(folder)]]
        assert not (folder / "left").exists()

    def test_a_broken_environment_of_someone_else_is_left_alone(self, project: Path) -> None:
        folder = project / ".venv"
        folder.mkdir()
        (folder / "theirs").touch()
        with pytest.raises(run.Stop, match="Delete that folder"):
            run.make_environment(str(folder))
        assert (folder / "theirs").exists()

    def test_an_environment_of_an_old_python_is_refused(self, project: Path) -> None:
        folder = plant_environment(project, "3.9.7")
        with pytest.raises(run.Stop, match=r"the environment .* is Python 3.9"):
            run.make_environment(str(folder))

    def test_a_stock_debian_python_hears_what_to_install(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
        monkeypatch.setattr(run.shutil, "which", lambda name: name if name == "apt-get" else None)
        with pytest.raises(run.Stop, match="sudo apt install python3-venv"):
            run.make_environment(str(project / ".venv"))
        assert not (project / ".venv").exists()

    def test_uv_on_the_path_makes_up_for_a_missing_venv(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
        monkeypatch.setattr(run.shutil, "which", lambda name: name if name == "uv" else None)
        seen = recorder(monkeypatch)
        run.make_environment(str(project / ".venv"))
        assert seen[0][:2] == ["uv", "venv"]

    def test_a_folder_that_cannot_be_written_is_said(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DPVIZ_VENV", str(project / run.RUNTIME / "below-a-file" / ".venv"))
        with pytest.raises(run.Stop, match=r"cannot write into .*\n.*DPVIZ_VENV"):
            run.prepare(run.RUNTIME)

    def test_a_company_mirror_for_pip_is_used_by_uv(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.invalid/simple")
        monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
        log = project / "log"
        code = "import os, sys; sys.exit(os.environ['UV_DEFAULT_INDEX'] != 'https://mirror.invalid/simple')"
        assert run.attempt([sys.executable, "-c", code], str(log))

    def test_a_step_writes_into_the_log_and_not_on_standard_output(
        self, project: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        log = project / "log"
        assert not run.attempt([sys.executable, "-c", "print('words'); raise SystemExit(3)"], str(log))
        assert not run.attempt([str(project / "no such program")], str(log))
        assert capfd.readouterr().out == ""
        assert "words" in run.end_of(str(log))

    def test_four_starts_at_once_install_once(self, project: Path) -> None:
        plant_environment(project)
        code = textwrap.dedent(
            f"""
            import os, sys, time
            sys.path.insert(0, {str(Path(__file__).parents[2])!r})
            import run
            run.ROOT = {str(project)!r}
            def attempt(command, log):
                with open(os.path.join(run.ROOT, "installs"), "a") as file:
                    file.write(command[-2] + "\\n")
                deadline = time.monotonic() + 0.5
                while time.monotonic() < deadline:
                    pass
                return True
            run.attempt = attempt
            run.STAGES = ((("one", "other"), ""),)
            run.has_pip = lambda python: False
            run.shutil.which = lambda name: "uv"
            print(run.prepare(run.RUNTIME))
            """
        )
        starts = [
            subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(4)
        ]
        results = [start.communicate(timeout=60) for start in starts]
        assert [start.returncode for start in starts] == [0, 0, 0, 0], results
        assert (project / "installs").read_text(encoding="utf-8") == "one\n-r\n"
        assert any("another start is installing" in words for _, words in results)


class TestBrowser:
    def test_the_named_one_comes_first_and_a_dead_one_is_passed_over(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHROMIUM", "dead")
        monkeypatch.setattr(run.shutil, "which", lambda name: name if name in ("dead", "chromium") else None)
        monkeypatch.setattr(run, "answers", lambda command: command[0] == "chromium")
        assert next(run.chromium_candidates()) == "dead"
        assert run.find_chromium() == "chromium"

    def test_windows_browsers_are_not_started_to_be_found(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_start(command: Command) -> NoReturn:
            raise AssertionError(command)

        monkeypatch.setenv("PROGRAMFILES", "programs")
        monkeypatch.setattr(run, "WINDOWS", True)
        monkeypatch.setattr(run, "answers", no_start)
        monkeypatch.setattr(run.shutil, "which", lambda name: name if name.endswith("chrome.exe") else None)
        assert run.find_chromium() == os.path.join("programs", "Google", "Chrome", "Application", "chrome.exe")

    def test_playwrights_own_is_found(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        inside = project / "chromium-1234" / "chrome-linux" / "chrome"
        inside.parent.mkdir(parents=True)
        inside.touch()
        monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(project))
        assert str(inside) in list(run.chromium_candidates())

    @pytest.mark.parametrize(
        ("root", "system", "expected"),
        [(True, "debian", "apt-get"), (True, "ubuntu", "playwright"), (False, "debian", "playwright")],
    )
    def test_a_missing_one_is_installed_the_systems_way(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, root: bool, system: str, expected: str
    ) -> None:
        monkeypatch.setattr(run.os, "geteuid", lambda: 0 if root else 1000, raising=False)
        monkeypatch.setattr(run, "system_id", lambda: system)
        monkeypatch.setattr(run.shutil, "which", lambda name: name)
        monkeypatch.setattr(run, "find_chromium", lambda: "now there")
        seen = recorder(monkeypatch)
        (project / ".venv").mkdir()
        assert run.install_chromium("python") == "now there"
        assert expected in " ".join(seen[-1])
        assert seen[-1][-1] == "chromium"

    def test_without_one_ci_fails(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        seen = handed(monkeypatch)
        monkeypatch.setattr(run, "find_chromium", lambda: None)
        monkeypatch.setattr(run, "install_chromium", lambda python: None)
        monkeypatch.setenv("CI", "true")
        assert run.main(["test"]) == 1
        assert "the browser tests must run" in capsys.readouterr().err
        assert seen == []

    def test_without_one_other_machines_leave_browser_tests_out_and_say_so(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        seen = handed(monkeypatch)
        monkeypatch.setattr(run, "find_chromium", lambda: None)
        monkeypatch.setattr(run, "install_chromium", lambda python: None)
        assert run.main(["test"]) == 0
        assert "browser tests are left out" in capsys.readouterr().err
        assert seen[0][1]["DPVIZ_CHROMIUM"] == ""

    @pytest.mark.parametrize(("value", "expected"), [("", False), ("false", False), ("0", False), ("1", True)])
    def test_ci_is_told_by_its_variable(self, monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
        monkeypatch.setenv("CI", value)
        assert run.is_ci() is expected


class TestCommands:
    @pytest.mark.parametrize("words", [[], ["bogus"]])
    def test_an_unknown_command_gets_the_list(self, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert run.main(words) == 2
        assert "usage: python3 run.py COMMAND" in capsys.readouterr().err

    def test_help_is_no_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run.main(["--help"]) == 0
        said = capsys.readouterr().out
        assert all(f"  {name}  " in said for name in run.COMMANDS)

    def test_ctrl_c_ends_in_a_word(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        def interrupted(options: list[str]) -> NoReturn:
            raise KeyboardInterrupt

        monkeypatch.setitem(run.COMMANDS, "app", interrupted)
        assert run.main(["app"]) == 130
        assert capsys.readouterr().err == "dpviz: stopped\n"

    def test_the_app_gets_streamlits_options_and_no_window_in_ci(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "app.py").touch()
        seen = handed(monkeypatch)
        monkeypatch.setenv("CI", "1")
        monkeypatch.setenv("DISPLAY", ":0")
        assert run.main(["app", "--server.port", "9999", "--", "--own"]) == 0
        command, environment, folder = seen[0]
        assert command[1:] == ["-m", "streamlit", "run", "app.py", "--server.port", "9999", "--", "--own"]
        assert folder == str(project)
        assert environment["PYTHONNOUSERSITE"] == "1"

    def test_an_incomplete_copy_is_said(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        handed(monkeypatch)
        with pytest.raises(run.Stop, match=r"app\.py is missing"):
            run.app([])

    @pytest.mark.parametrize(("options", "asked"), [([], "yes"), (["--server.headless=true"], None)])
    def test_before_a_screen_the_app_is_asked_to_open_its_own_address(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], asked: str | None
    ) -> None:
        (project / "app.py").touch()
        seen = handed(monkeypatch)
        monkeypatch.setattr(run, "has_display", lambda: True)
        assert run.main(["app", *options]) == 0
        assert seen[0][1].get("DPVIZ_OPEN_BROWSER") == asked

    @pytest.mark.parametrize(
        ("given", "expected"), [({}, False), ({"DISPLAY": ":0"}, True), ({"DISPLAY": ":0", "CI": "1"}, False)]
    )
    def test_a_window_needs_a_screen_before_a_person(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], expected: bool
    ) -> None:
        monkeypatch.setattr(run.sys, "platform", "linux")
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        assert run.has_display() is expected

    @pytest.mark.parametrize("form", ["two words", "one word"])
    def test_the_analyst_server_gets_its_folder_by_option_and_by_variable(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, form: str
    ) -> None:
        (project / "analyst_app.py").touch()
        (project / "published").mkdir()
        monkeypatch.chdir(project)
        seen = handed(monkeypatch)
        words = ["--releases", "published"] if form == "two words" else ["--releases=published"]
        assert run.main(["analyst", *words, "--server.port", "9999"]) == 0
        command, environment, _ = seen[0]
        folder = str(project / "published")
        assert command[3:] == ["run", "analyst_app.py", "--server.port", "9999", "--", "--releases", folder]
        assert environment["DPVIZ_RELEASES"] == folder

    @pytest.mark.parametrize("words", [[], ["--releases"], ["--releases", "nowhere"]])
    def test_the_analyst_server_needs_a_folder_that_exists(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
    ) -> None:
        handed(monkeypatch)
        assert run.main(["analyst", *words]) == 2

    def test_the_command_line_stays_in_the_callers_folder(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONPATH", "of another installation")
        seen = handed(monkeypatch)
        run.main(["cli", "release", "trips.csv"])
        command, environment, folder = seen[0]
        assert command[1:] == ["-P", "-m", "dpviz", "release", "trips.csv"]
        assert folder is None
        assert environment["PYTHONPATH"] == str(project)

    def test_tests_are_shared_by_workers_unless_the_caller_says_how(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run.os, "cpu_count", lambda: 2)
        assert run.pytest_command("p", ["-q"])[3:] == ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "-q"]
        assert run.pytest_command("p", ["-n0", "-q"])[3:] == ["-n0", "-q"]
        monkeypatch.setattr(run.os, "cpu_count", lambda: 1)
        assert run.pytest_command("p", [])[3:] == []

    def test_check_runs_every_step_and_names_those_that_failed(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        called: list[Command] = []

        def call(command: Command, environment: dict[str, str], folder: str) -> int:
            called.append(command)
            return int("mypy" in command)

        monkeypatch.setattr(run, "prepare", lambda name: "python")
        monkeypatch.setattr(run, "call", call)
        assert run.main(["check"]) == 1
        assert len(called) == 5
        assert capsys.readouterr().err.endswith("check failed: types\n")

    def test_the_exit_code_is_the_commands_own(self) -> None:
        assert run.call([sys.executable, "-c", "raise SystemExit(4)"], dict(os.environ)) == 4


@pytest.fixture(scope="module")
def here_installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment that run.py takes for its own; it borrows the packages these tests run on."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    purelib = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    Path(purelib, "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    run.write_stamp(str(folder), (run.RUNTIME, run.DEVELOPMENT))
    return {**os.environ, "DPVIZ_VENV": str(folder)}


class TestForReal:
    def start(self, settings: dict[str, Any], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(Path(run.ROOT) / "run.py"), *words],
            cwd=folder,
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_the_command_line_answers_from_any_folder(self, here_installed: dict[str, str], tmp_path: Path) -> None:
        result = self.start(here_installed, tmp_path, "cli", "methods", "--json")
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout)
        assert result.stderr == ""

    def test_the_command_line_keeps_its_exit_code(self, here_installed: dict[str, str], tmp_path: Path) -> None:
        assert self.start(here_installed, tmp_path, "cli", "no-such-command").returncode == 2
