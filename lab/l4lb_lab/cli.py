# SPDX-License-Identifier: Apache-2.0
"""The command line of lab/lab."""
import argparse
import os
import signal
import sys
import time

from . import agent_config, bird, comparison, dataplanes, demo, roles, scenarios, topology
from .lab import HTTP_SERVER, Lab
from .place import PROGRAM, LabError, UsageError
from .topology import TopologyError

DATAPLANES = tuple(dataplanes.OF)
ON_A_REAL = (["real", "setup"], ["real", "status"], ["real", "teardown"])


def main(arguments):
    _undo_before_ending()
    options = _parser().parse_args(arguments)
    try:
        return options.command(Lab(), options) or 0
    except (LabError, TopologyError) as e:
        print(f"lab: {e}", file=sys.stderr)
        return 2 if isinstance(e, UsageError) else 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _undo_before_ending():
    """Whoever ends us, by a closed terminal too, leaves the lab as it was; nohup goes on."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda ending, _: sys.exit(128 + ending))


def _parser():
    parser = argparse.ArgumentParser(
        prog="lab/lab", description="The lab as network namespaces. L4LB_LAB names it (default l4lb); several can be up at once."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, function, text):
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=function)
        return sub

    up = command("up", _up, "make the lab and start what runs in it")
    up.add_argument("--without-agents", action="store_true", help="start no agent")
    up.add_argument("--topology", choices=scenarios.OF, default=topology.USUAL, help="what it is made from, a file in lab/")
    command("down", lambda lab, _: lab.down(), "end and remove all of it, also what is left of a half-made one")
    command("status", _status, "say what is there")
    execute = command("exec", _exec, "run a command on a host: lab/lab exec client curl http://192.0.2.10/who")
    execute.add_argument("host")
    execute.add_argument("argv", nargs=argparse.REMAINDER, metavar="CMD")
    text = "run l4lb against a director's agent, or on a real: lab/lab l4lb director1 status, lab/lab l4lb real1 real teardown"
    l4lb = command("l4lb", _l4lb, text)
    l4lb.add_argument("host")
    l4lb.add_argument("argv", nargs=argparse.REMAINDER, metavar="ARGUMENTS")
    for name, text in (("start", "start a host's daemon"), ("stop", "stop it"), ("kill", "kill it with SIGKILL")):
        daemon = command(name, _daemon, f"{text}: bird on the router, agent on a director, {HTTP_SERVER} on a real")
        daemon.add_argument("host")
        daemon.set_defaults(action=name)
    environment = command("env", _env, "print what a host's role script (lab/roles) is told, for use outside of namespaces")
    environment.add_argument("host")
    config = command("config", _config, "print the configuration file of a director's agent, or of the router's BIRD")
    config.add_argument("host")
    run = command("run", demo.run_one, "run one scenario in a lab that is up")
    run.add_argument("scenario", choices=scenarios.NAMES)
    every = command("demo", demo.run_all, "run all scenarios of a lab that is up (script/demo does more)")
    trial = command("trial", _trial, "make a lab, run all its scenarios, remove it")
    trial.add_argument("topology", choices=scenarios.OF)
    for makes in (up, trial):
        makes.add_argument("--dataplane", choices=DATAPLANES, default=dataplanes.USUAL)
    trial.add_argument("--but", nargs="+", metavar="FILE", default=[], help="leave out what such files of --json have already")
    every.set_defaults(but=[])
    for runs_all in (every, trial):
        runs_all.add_argument("--json", metavar="FILE", help="also write the figures there")
    text = "compare what trials, or demos, on several dataplanes wrote with --json; lab/compare makes them first"
    compare = command("compare", lambda _, options: comparison.main(options.files), text)
    compare.add_argument("files", nargs="+", metavar="FILE")
    return parser


def _up(lab, options):
    lab = _made_from(lab, options)
    lab.up(agents=not options.without_agents)
    if not options.without_agents:
        lab.wait_ready()


def _trial(lab, options):
    lab = _made_from(lab, options)
    scenarios.of(options.topology, options.dataplane)  # complains if there are none
    start = time.monotonic()
    lab.up()
    try:
        print(f"the lab is up after {time.monotonic() - start:.0f} s", flush=True)
        lab.wait_ready()
        print(f"and ready after {time.monotonic() - start:.0f} s", flush=True)
        return demo.run_all(lab, options)
    except LabError:
        print(lab.last_words(), file=sys.stderr)
        raise
    finally:
        lab.down()


def _made_from(lab, options):
    return Lab(lab.place, topology.load(options.topology), options.dataplane)


def _status(lab, _):
    if not lab.is_up():
        print(f"lab {lab.place.name} is down")
        return 1
    for host in lab.hosts.values():
        name = _daemon_of(host.data)
        pid = host.pid(name) if name else None
        state = "" if not name else f"{name} {f'runs, pid {pid}' if pid else 'does not run'}"
        print(f"{host.name:10} {host.data.role:9} {lab.place.namespace(host.name):20} {state}".rstrip())
    for family in (4, 6):
        print(f"route to {lab.service.vip(family)}: {', '.join(lab.next_hops(family)) or 'none'}")
    print(f"made from: lab/{lab.topology.name}.json, dataplane {lab.dataplane}")
    print(f"state, configuration and logs: {lab.place.root}")
    return 0


def _exec(lab, options):
    if not options.argv:
        raise UsageError("exec HOST CMD...: no command")
    host = lab.host(options.host)
    lab.must_be_up()
    argv = host.enter(options.argv)
    os.execvp(argv[0], argv)


def _l4lb(lab, options):
    host = lab.host(options.host)
    if host.data.role == "real" and options.argv[:2] in ON_A_REAL:
        lab.must_be_up()
        argv, environment = host.role_command(*options.argv[1:])
        os.execvpe(argv[0], argv, environment)
    director = lab.director(options.host)
    lab.must_be_up()
    os.execv(PROGRAM, [str(PROGRAM), "--socket", str(director.socket), *options.argv])


def _daemon_of(host):
    return {"router": "bird", "director": "agent", "real": HTTP_SERVER}.get(host.role)


def _daemon(lab, options):
    host = lab.host(options.host)
    name = _daemon_of(host.data)
    if not name:
        raise UsageError(f"{host.name} has no daemon")
    lab.must_be_up()
    if options.action == "start":
        start = {"bird": lab.bird.start, HTTP_SERVER: lambda: lab.start_server(host),
                 "agent": lambda: lab.director(host.name).start()}
        start[name]()
    else:
        host.end(name, signal.SIGKILL if options.action == "kill" else signal.SIGTERM)


def _env(lab, options):
    for name, value in roles.environment(lab.topology, lab.host(options.host).data, dataplane=lab.dataplane).items():
        quoted = value.replace("'", "'\\''")
        print(f"export {name}='{quoted}'")


def _config(lab, options):
    host = lab.host(options.host)
    if host.data.role == "director":
        print(agent_config.text(lab.topology, lab.place, host.data, lab.dataplane), end="")
    elif host.data.role == "router":
        print(bird.configuration(lab.topology, host.log("bird")), end="")
    else:
        raise UsageError(f"{host.name} has no configuration file")
