#!/usr/bin/env python3
"""Start dpviz on a machine that has nothing but Python: python3 run.py app

Standard library only. The file must still parse on Pythons far older than the ones dpviz needs, so that such a
Python can say so in a sentence. It stays one file (and longer than its neighbours) because it runs before anything
of the project can be imported.
"""

import contextlib
import glob
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
RESEARCH = os.path.join(ROOT, "research")
OLDEST, NEWEST = (3, 11), (3, 14)
UV = "uv==0.13.8"
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
STAMP = "dpviz-installed.json"
# Installed in this order; after each stage what it makes possible is compiled while the network brings the next one.
STAGES = (
    (
        ("numba", "numpy", "pandas"),
        "from dpviz.clustering.gridded import warm_up; warm_up()",
        "from dpviz.mechanisms.catalogue import warm_up; warm_up()",
    ),
    (
        ("opendp", "polars", "pydeck", "streamlit"),
        "from dpviz.ui.serving import server as serving; serving.for_curators()",
    ),
)
IMPORT_RULES = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
WINDOWS = os.name == "nt"

USAGE = """\
usage: python3 run.py COMMAND [OPTIONS]

  app      [streamlit options]      the map and its slider, in the browser, on this machine only
  analyst  --releases DIR [...]     the analysts' page, on a folder of published releases
  cli      ...                      the command line, as in: python3 run.py cli methods
  research  NAME [...]              a program of research/dpviz_research, as in: python3 run.py research readings
  test     [pytest options]         all tests
  check    [pytest options]         format, lint, types, import rules, fast tests: once before every commit

The first start makes an environment in .venv and installs what is needed there; nothing else is touched.\
"""


class Stop(Exception):
    """Work cannot go on; the text says in a line or two what to do."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


def say(text):
    """One line on standard error: standard output belongs to the command that is started."""
    print(f"dpviz: {text}", file=sys.stderr, flush=True)


# --- the environment -------------------------------------------------------------------------------------------


def environment_folder():
    return os.path.abspath(os.environ.get("DPVIZ_VENV") or os.path.join(ROOT, ".venv"))


def python_of(folder):
    return os.path.join(folder, "Scripts", "python.exe") if WINDOWS else os.path.join(folder, "bin", "python")


def python_version_of(folder):
    """The version written in pyvenv.cfg ("3.12.1"), or "" where there is none: reading beats starting Python."""
    try:
        with open(os.path.join(folder, "pyvenv.cfg"), encoding="utf-8") as file:
            found = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+\.\d+)", file.read(), re.MULTILINE)
    except OSError:
        return ""
    return found.group(1) if found else ""


def check_python(version, where="this"):
    """Refuse a Python for which the pinned packages do not exist, and name one that is there."""
    if OLDEST <= tuple(version[:2]) <= NEWEST:
        return
    given = ".".join(str(part) for part in version[:2])
    span = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    text = f"{where} is Python {given}; dpviz needs Python {span}."
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        name = f"python3.{minor}"
        if shutil.which(name) and answers([name, "--version"]):
            raise Stop(f"{text}\nOne is installed here; type: {name} run.py {' '.join(sys.argv[1:])}", 2)
    raise Stop(f"{text}\nInstall one of these and start again with it, e.g. python3.13 run.py app", 2)


def answers(command):
    """Whether a program starts at all (shims and half-installed programs are on the path too)."""
    try:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.call(command, timeout=60, **quiet) == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def fingerprint(name):
    with open(os.path.join(ROOT, name), "rb") as file:
        return hashlib.sha256(file.read().replace(b"\r\n", b"\n")).hexdigest()


def read_stamp(folder):
    try:
        with open(os.path.join(folder, STAMP), encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(folder, names):
    stamp = {name: fingerprint(name) for name in names}
    stamp["python"] = python_version_of(folder)
    temporary = os.path.join(folder, f"{STAMP}.{os.getpid()}")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(stamp, file, indent=1)
    os.replace(temporary, os.path.join(folder, STAMP))


def is_ready(folder, name):
    """Installed for exactly these requirement files, by exactly this Python?"""
    stamp = read_stamp(folder)
    return (
        stamp.get(name) == fingerprint(name)
        and stamp.get("python") == python_version_of(folder)
        and os.path.exists(python_of(folder))
    )


@contextlib.contextmanager
def only_one(folder):
    """Hold a lock beside the environment, so that two starts at once install one after the other."""
    path = os.path.join(os.path.dirname(folder), ".dpviz.lock")
    try:
        file = open(path, "a+")
    except OSError as error:
        raise Stop(
            f"cannot write into {os.path.dirname(folder)} ({error.strerror}).\n"
            "Copy the project to a folder of your own, or set DPVIZ_VENV to a folder that dpviz may make."
        ) from None
    with file:
        waiting = False
        while not try_lock(file):
            if not waiting:
                say("another start is installing; waiting for it")
                waiting = True
            time.sleep(0.2)
        yield  # closing the file gives the lock back, also when this process dies


def try_lock(file):
    try:
        if WINDOWS:
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def prepare(name):
    """Return the environment's Python with the packages of one requirement file installed."""
    folder = environment_folder()
    if not is_ready(folder, name):
        with only_one(folder):
            if not is_ready(folder, name):  # the start that held the lock may have done it
                install(folder, name)
    return python_of(folder)


def install(folder, name):
    python = make_environment(folder)
    say(f"installing the packages of {name} into {os.path.basename(folder)} (once; minutes on a slow line)")
    started = time.time()
    log = os.path.join(folder, "install.log")
    requirements = os.path.join(ROOT, name)
    uv = find_uv(folder, python, log)
    done = bool(uv) and install_and_compile([uv, "pip", "install", "--python", python], python, requirements, log)
    if not done and has_pip(python):
        if uv:
            say("uv could not install them; trying pip, which is slower")
        done = attempt([python, "-m", "pip", "install", "--retries", "1", "-r", requirements], log)
    if not done:
        raise Stop(
            f"the packages of {name} could not be installed; the log ends with\n{end_of(log)}\n"
            "dpviz: is the network there? Behind a mirror set PIP_INDEX_URL. Then type the same command again."
        )
    names = (RUNTIME, DEVELOPMENT) if name == DEVELOPMENT else (RUNTIME,)  # compiled together: the same pins
    write_stamp(folder, names)
    say(f"installed in {time.time() - started:.0f} s")


def install_and_compile(uv_install, python, requirements, log):
    """Install in stages and compile each while the network brings the next: an earlier first map.

    Compiling is a help and no more: where it fails, the app does it at its first start.
    """
    compilers = []
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for packages, *codes in STAGES:
        if attempt([*uv_install, "-c", requirements, *packages], log):
            surroundings = clean_environment(PYTHONPATH=ROOT)
            compilers += [subprocess.Popen([python, "-c", code], env=surroundings, **quiet) for code in codes]
    done = False
    try:
        done = attempt([*uv_install, "-r", requirements], log)
    finally:
        for compiler in compilers:
            if not done:
                compiler.terminate()
            compiler.wait()
    return done


def make_environment(folder):
    """Make .venv, or take the one that is there if its Python starts."""
    python = python_of(folder)
    mine = os.path.join(folder, "made-by-dpviz")
    if os.path.exists(folder):
        if answers([python, "-c", "import sys"]):
            version = python_version_of(folder)
            if version:
                check_python([int(part) for part in version.split(".")], f"the environment {folder}")
            return python
        if not os.path.exists(mine):
            raise Stop(f"{folder} is there, but its Python does not start.\nDelete that folder and start again.")
        shutil.rmtree(folder)  # half made, or its Python has gone
    check_python(sys.version_info)
    say(f"making an environment in {folder}")
    complete = bool(importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"))
    os.makedirs(folder)
    with open(mine, "w", encoding="utf-8") as file:
        file.write("run.py made this environment and may delete it.\n")
    log = os.path.join(folder, "install.log")
    if complete:
        made = attempt([sys.executable, "-m", "venv", folder], log)
    elif shutil.which("uv"):  # brings what a stock Debian Python leaves out
        made = attempt(["uv", "venv", "--allow-existing", "--python", sys.executable, folder], log)
    else:
        shutil.rmtree(folder)
        raise Stop("this Python cannot make environments: " + how_to_get_venv(), 2)
    if not made:
        ending = end_of(log)
        shutil.rmtree(folder)
        raise Stop(f"the environment could not be made; the log ends with\n{ending}\ndpviz: {how_to_get_venv()}")
    return python


def how_to_get_venv():
    """The one command that brings venv and pip, where it is known."""
    minor = sys.version_info[1]
    if shutil.which("apt-get"):
        return f"type: sudo apt install python3-venv python3-pip (or python3.{minor}-venv), then start again."
    if shutil.which("apk"):
        return "type: apk add python3 py3-pip, then start again."
    return "install Python's modules venv and ensurepip (the installer of python.org has them), then start again."


def has_pip(python):
    return answers([python, "-c", "import pip"])


def find_uv(folder, python, log):
    """The pinned uv inside the environment; else one that is on the path; else None."""
    inside = os.path.join(os.path.dirname(python), "uv.exe" if WINDOWS else "uv")
    if not os.path.exists(inside) and has_pip(python):
        quietly = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
        attempt([python, "-m", "pip", "install", *quietly, UV], log)
    return inside if os.path.exists(inside) else shutil.which("uv")


def attempt(command, log):
    """Run one step of the installation; its words go to the terminal, or into the log where there is none."""
    environment = clean_environment()
    for ours, theirs in (("UV_DEFAULT_INDEX", "PIP_INDEX_URL"), ("SSL_CERT_FILE", "PIP_CERT")):
        if theirs in environment:  # uv does not read pip's settings
            environment.setdefault(ours, environment[theirs])
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"$ {' '.join(command)}\n")
        file.flush()
        target = sys.stderr if sys.stderr.isatty() else file  # never on standard output, which may be a document
        try:
            return subprocess.call(command, env=environment, stdout=target, stderr=target) == 0
        except OSError as error:
            file.write(f"{error}\n")
            return False


def end_of(log, lines=4, width=160):
    if sys.stderr.isatty():
        return "(above)"
    try:
        with open(log, encoding="utf-8", errors="replace") as file:
            return "\n".join(f"  {line.rstrip()[:width]}" for line in file.readlines()[-lines:])
    except OSError:
        return "  (no log)"


def clean_environment(**more):
    """Ours, without what would let packages of another installation in or make every start compile them again."""
    environment = dict(os.environ)
    foreign = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "UV_PYTHON", "UV_PROJECT_ENVIRONMENT")
    for name in (*foreign, "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    environment["PYTHONNOUSERSITE"] = "1"
    environment.update(more)
    return environment


# --- a browser -------------------------------------------------------------------------------------------------


def is_ci():
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def has_display():
    """Whether a person sits before this machine's screen."""
    if is_ci() or os.environ.get("SSH_CONNECTION"):
        return False
    if WINDOWS or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def chromium_candidates():
    """Where a Chromium or a Chrome may be, the named ones first."""
    for name in ("DPVIZ_CHROMIUM", "CHROMIUM"):
        if os.environ.get(name):
            yield os.environ[name]
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"):
        found = shutil.which(name)
        if found:
            yield found
    home = os.path.expanduser("~")
    applications = [base + "/Applications" for base in ("", home)]
    for name in ("Chromium", "Google Chrome"):
        for base in applications:
            yield f"{base}/{name}.app/Contents/MacOS/{name}"
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        base = os.environ.get(variable)
        if base:
            yield os.path.join(base, "Google", "Chrome", "Application", "chrome.exe")
            yield os.path.join(base, "Chromium", "Application", "chrome.exe")
            yield os.path.join(base, "Microsoft", "Edge", "Application", "msedge.exe")
    stores = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH", ""),
        os.path.join(home, ".cache", "ms-playwright"),
        os.path.join(home, "Library", "Caches", "ms-playwright"),
        os.path.join(os.environ.get("LOCALAPPDATA", ""), "ms-playwright"),
    ]
    inner = ("chrome-linux*/chrome", "chrome-win*/chrome.exe", "chrome-mac*/*.app/Contents/MacOS/*")
    for store in stores:
        for pattern in inner:
            yield from sorted(glob.glob(os.path.join(store, "chromium-*", pattern)), reverse=True)


def find_chromium():
    """The first Chromium that starts, or None. (On Windows --version opens a window, so there it is not asked.)"""
    for path in chromium_candidates():
        found = shutil.which(path)
        if found and (WINDOWS or answers([found, "--version"])):
            return found
    return None


def install_chromium(python):
    """Bring a Chromium for the tests; None where that fails."""
    log = os.path.join(environment_folder(), "install.log")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and system_id() == "debian" and shutil.which("apt-get"):
        say("no Chromium here; installing it with apt-get")
        attempt(["apt-get", "update", "-q"], log)
        attempt(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"], log)
    else:
        say("no Chromium here; downloading playwright's (about 150 MB)")
        dependencies = ["--with-deps"] if root and sys.platform.startswith("linux") else []
        attempt([python, "-m", "playwright", "install", *dependencies, "chromium"], log)
    return find_chromium()


def system_id():
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            found = re.search(r'^ID="?([^"\n]*)', file.read(), re.MULTILINE)
    except OSError:
        return ""
    return found.group(1) if found else ""


def how_to_get_chromium(python):
    return f"Install Chromium or Chrome (or: {python} -m playwright install --with-deps chromium), or set CHROMIUM."


# --- the commands ----------------------------------------------------------------------------------------------


def hand_over(command, environment, folder=None):
    """Become the command, so that signals and the exit code are its own; Windows can only call and wait."""
    if folder:
        os.chdir(folder)
    sys.stdout.flush()
    sys.stderr.flush()
    if not WINDOWS:
        os.execve(command[0], command, environment)
    return call(command, environment)


def call(command, environment, folder=None):
    """Run a command to its end and return its exit code."""
    return wait_for(subprocess.Popen(command, env=environment, cwd=folder))


def wait_for(process):
    """Ctrl-C reaches the child by itself; here we only wait until it has ended."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def serve(script, options, environment, rest=()):
    python = prepare(RUNTIME)
    if not os.path.exists(os.path.join(ROOT, script)):
        raise Stop(f"{script} is missing beside run.py; the copy of the project is not complete.", 2)
    before, after = split_at_dashes(options)
    command = [python, "-m", "streamlit", "run", script, *before, "--", *rest, *after]
    if has_display() and not any(option.startswith("--server.headless") for option in before):
        environment["DPVIZ_OPEN_BROWSER"] = "yes"  # the app opens it: only the app knows its port and its key
    say(f"starting {script}; stop with Ctrl-C")
    return hand_over(command, environment, ROOT)


def split_at_dashes(options):
    if "--" not in options:
        return list(options), []
    cut = options.index("--")
    return list(options[:cut]), list(options[cut + 1 :])


def app(options):
    return serve("app.py", options, clean_environment())


def analyst(options):
    folder, others = None, []
    words = iter(options)
    for word in words:
        if word == "--releases":
            folder = next(words, None)
        elif word.startswith("--releases="):
            folder = word.split("=", 1)[1]
        else:
            others.append(word)
    if not folder:
        raise Stop("which releases? type: python3 run.py analyst --releases DIR", 2)
    if not os.path.isdir(folder):
        raise Stop(f"there is no folder {folder}; --releases takes the folder of published releases.", 2)
    folder = os.path.abspath(folder)
    return serve("analyst_app.py", others, clean_environment(DPVIZ_RELEASES=folder), ["--releases", folder])


def cli(options):
    """In the caller's folder: the paths on the command line are the caller's."""
    python = prepare(RUNTIME)
    return hand_over([python, "-P", "-m", "dpviz", *options], clean_environment(PYTHONPATH=ROOT))


def research(options):
    """Run a module of the second distribution from this checkout, without installing it."""
    if not options or options[0].startswith("-"):
        raise Stop("which program of research? type: python3 run.py research NAME, e.g. readings or coverage", 2)
    python = prepare(DEVELOPMENT)
    command = [python, "-P", "-m", "dpviz_research." + options[0], *options[1:]]
    return hand_over(command, clean_environment(PYTHONPATH=ROOT + os.pathsep + RESEARCH))


def pytest_command(python, options):
    workers = min(os.cpu_count() or 1, 4)
    own = any(option.startswith(("-n", "--numprocesses", "--pdb", "-s", "--collect-only")) for option in options)
    # A worker takes whole files, in the order that tests/conftest.py gives them.
    shared = [] if own or workers < 2 else ["-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder"]
    return [python, "-m", "pytest", *shared, *options]


def test(options):
    python = prepare(DEVELOPMENT)
    chromium = find_chromium() or install_chromium(python)
    if not chromium and is_ci():
        raise Stop(f"no Chromium, and under CI the browser tests must run. {how_to_get_chromium(python)}")
    if not chromium:
        say(f"no Chromium: the browser tests are left out. {how_to_get_chromium(python)}")
    return hand_over(pytest_command(python, options), clean_environment(DPVIZ_CHROMIUM=chromium or ""), ROOT)


def check(options):
    python = prepare(DEVELOPMENT)
    fast = pytest_command(python, ["-q", "-m", "not browser and not slow", *options])
    steps = (
        ("format", [python, "-m", "ruff", "format", "--check", "."]),
        ("lint", [python, "-m", "ruff", "check", "."]),
        ("types", [python, "-m", "mypy"]),
        ("import rules", [python, "-c", IMPORT_RULES]),
        ("fast tests", fast),
    )
    failed = []
    for name, command in steps:
        say(f"check: {name}")
        if call(command, clean_environment(PYTHONPATH=ROOT + os.pathsep + RESEARCH), ROOT):
            failed.append(name)
    say(f"check failed: {', '.join(failed)}" if failed else "check: all good")
    return 1 if failed else 0


COMMANDS = {"app": app, "analyst": analyst, "cli": cli, "research": research, "test": test, "check": check}


def main(words):
    if words and words[0] in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    if not words or words[0] not in COMMANDS:
        if words:
            say(f"there is no command {words[0]!r}")
        print(USAGE, file=sys.stderr)
        return 2
    try:
        return COMMANDS[words[0]](words[1:])
    except Stop as stop:
        say(stop)
        return stop.code
    except KeyboardInterrupt:
        say("stopped")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
