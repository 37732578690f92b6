# SPDX-License-Identifier: Apache-2.0
"""Between ExaBGP and the l4lb agent.  ExaBGP runs it as its API process: bridge.py SOCKET

ExaBGP's lines arrive on standard input, its commands leave on standard output; one agent at a time is served on a unix
socket, and a newer connection replaces the older one.  What this process is for:

- It outlives every agent.  ExaBGP ends itself when its API process dies too often, so this one ends only with ExaBGP.
- It always reads standard input.  ExaBGP writes to it blocking, and stops sending keepalives while it waits.
- An agent that connects gets the last "up" or "down" line of each neighbor, then a hello, {"type": "bridge", ...}, and
  from then on what happens:
    protocol   version of this conversation
    epoch      ExaBGP's process and its start time; a different epoch means that its routes started empty
    commands   how many commands ExaBGP has been given since it started; at least that many after a death of the bridge
    quiet      milliseconds since ExaBGP was last given a command or last told of an update or a state; null: never
  "version" changes nothing and is no command in this sense: the agent asks it to see whether ExaBGP lives.
- Acknowledgements carry no number.  Those of an earlier agent's commands are therefore awaited before the hello, so that
  the first one a new agent sees is its own.  One that does not come may be lost for good; a command of the bridge's own
  whose answer cannot be mistaken then shows that nothing before it will be acknowledged any more (ExaBGP works its
  commands off in order).  An ExaBGP that does not answer that either is hung, and there is no hello.
- A bridge that ExaBGP had to start again asks so too: which sessions are established, and what its predecessor was owed.
- Lines of the agent that start with "bridge" are for this process:
    bridge reload             have ExaBGP read its configuration file again
    bridge dead-man SECONDS   withdraw everything when no agent has been here for so long; 0: never (the default)
"""
import collections
import fcntl
import json
import os
import re
import select
import signal
import socket
import sys
import time

PROTOCOL = 1
QUEUE_LIMIT = 8 << 20
DRAIN_SECONDS = 1.0
YOUNG_SECONDS = 10.0
CHUNK = 65536
# A regular expression and not a JSON parser: ExaBGP does not escape everything in the reason of a "down".
STATE = re.compile(rb'"type": "state".*"peer": "([0-9a-fA-F:.]+)".*"state": "(up|down)"')
WITHDRAW_ALL = b'clear adj-rib out\n'
HEARTBEAT = b'version\n'
# Lists the established sessions, one a line that starts with the peer's address, below a line of headings.
SUMMARY = b'show neighbor summary\n'
SUMMARY_HEADINGS = b'Peer '


class Bridge:
    def __init__(self, path):
        self.pid = os.getppid()
        ticks = start_time(self.pid)
        young = age(ticks) < YOUNG_SECONDS and not had_bridge(path, age(ticks))
        self.listener = listen(path)
        self.epoch = '%d-%d' % (self.pid, ticks)
        self.states = {}
        self.agent = None
        self.greeted = False
        self.drain_until = 0.0
        self.dead_man = 0.0
        self.alone_since = None
        self.commands = 0 if young else 1
        self.unacknowledged = collections.deque()
        self.in_summary = False
        self.last_activity = None if young else time.monotonic()
        self.from_exabgp = bytearray()
        self.to_exabgp = bytearray()
        self.from_agent = bytearray()
        self.to_agent = bytearray()
        if not young:
            self.ask(SUMMARY)

    def run(self):
        while True:
            readers, writers = [0, self.listener], []
            if self.greeted and len(self.to_exabgp) < QUEUE_LIMIT:
                readers.append(self.agent)
            if self.greeted and self.to_agent:
                writers.append(self.agent)
            if self.to_exabgp:
                writers.append(1)
            readable, writable, _ = select.select(readers, writers, [], self.patience())
            agent = self.agent
            if 0 in readable and not self.read_exabgp():
                return
            if agent in readable and agent is self.agent:
                self.read_agent()
            if agent in writable and agent is self.agent:
                self.write_agent()
            if self.listener in readable:
                self.accept()
            if 1 in writable and not self.write_exabgp():
                return
            self.greet()
            self.watch_for_absence()

    def patience(self):
        """Seconds until the next thing that happens by time alone."""
        if self.agent is not None and not self.greeted and not self.asked_summary():
            return max(0.0, self.drain_until - time.monotonic())
        if self.dead_man and self.alone_since is not None:
            return max(0.0, self.alone_since + self.dead_man - time.monotonic())
        return None

    def read_exabgp(self):
        data = receive(lambda: os.read(0, CHUNK))
        if data == b'':
            return False
        self.from_exabgp += data or b''
        for line in whole_lines(self.from_exabgp):
            self.exabgp_line(line)
        if len(self.to_agent) > QUEUE_LIMIT:
            self.drop_agent()  # it does not read; it will start afresh
        return True

    def exabgp_line(self, line):
        if line in (b'done\n', b'error\n'):
            self.acknowledged()
        elif line.startswith(b'{'):
            self.last_activity = time.monotonic()
            state = STATE.search(line)
            if state:
                self.states[state.group(1)] = line
        elif line.startswith(SUMMARY_HEADINGS) and self.asked_summary():
            self.in_summary = True
            while self.unacknowledged[0] != SUMMARY:
                self.unacknowledged.popleft()  # it will not come any more
        elif self.in_summary:
            self.summary_line(line)
        if self.greeted:
            self.to_agent += line

    def acknowledged(self):
        if self.unacknowledged and (self.unacknowledged[0] != SUMMARY or self.in_summary):
            self.unacknowledged.popleft()  # otherwise it is one that was owed to the predecessor
        self.in_summary = False

    def asked_summary(self):
        return SUMMARY in self.unacknowledged

    def summary_line(self, line):
        """An event that came meanwhile is newer."""
        words = line.split()
        if b'established' in words and words[0] not in self.states:
            event = {'type': 'state', 'neighbor': {'address': {'peer': words[0].decode()}, 'state': 'up'}}
            self.states[words[0]] = json.dumps(event).encode() + b'\n'

    def read_agent(self):
        data = receive(lambda: self.agent.recv(CHUNK))
        if data == b'':
            self.drop_agent()
            return
        self.from_agent += data or b''
        for line in whole_lines(self.from_agent):
            if line.startswith(b'bridge '):
                self.order(line.split())
            else:
                self.command(line)

    def order(self, words):
        if len(words) == 3 and words[1] == b'dead-man' and words[2].isdigit():
            self.dead_man = float(words[2])
        elif words[1:] == [b'reload']:
            os.kill(self.pid, signal.SIGUSR1)

    def command(self, line):
        if line != HEARTBEAT:
            self.commands += 1
            self.last_activity = time.monotonic()
        self.ask(line)

    def ask(self, line):
        self.to_exabgp += line
        self.unacknowledged.append(line)

    def write_agent(self):
        try:
            del self.to_agent[: self.agent.send(self.to_agent)]
        except BlockingIOError:
            pass
        except OSError:
            self.drop_agent()

    def write_exabgp(self):
        try:
            del self.to_exabgp[: os.write(1, self.to_exabgp[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def accept(self):
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        self.drop_agent()
        self.agent = connection
        self.alone_since = None
        self.drain_until = time.monotonic() + DRAIN_SECONDS

    def drop_agent(self):
        if self.agent is None:
            return
        self.agent.close()
        self.agent = None
        self.greeted = False
        self.alone_since = time.monotonic()
        self.from_agent = bytearray()
        self.to_agent = bytearray()

    def greet(self):
        now = time.monotonic()
        if self.agent is None or self.greeted:
            return
        if self.unacknowledged:
            if now >= self.drain_until and not self.asked_summary():
                self.ask(SUMMARY)
            return
        quiet = None if self.last_activity is None else int(1000 * (now - self.last_activity))
        hello = {
            'type': 'bridge',
            'protocol': PROTOCOL,
            'epoch': self.epoch,
            'commands': self.commands,
            'quiet': quiet,
        }
        self.to_agent = bytearray(b''.join(self.states.values()) + json.dumps(hello).encode() + b'\n')
        self.greeted = True

    def watch_for_absence(self):
        if not self.dead_man or self.alone_since is None:
            return
        if time.monotonic() >= self.alone_since + self.dead_man:
            self.alone_since = None
            self.command(WITHDRAW_ALL)


def listen(path):
    """A fresh listening socket: the one that a dead bridge left behind refuses connections for ever."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    listener.bind(path)
    os.umask(before)
    listener.listen(4)
    listener.setblocking(False)
    return listener


def start_time(pid):
    """Field 22 of proc(5) stat; the name in field 2 may hold spaces and parentheses."""
    with open('/proc/%d/stat' % pid) as stat:
        return int(stat.read().rsplit(')', 1)[1].split()[19])


def had_bridge(path, seconds):
    """Whether a socket was made there in the last so many seconds."""
    try:
        return time.time() - os.stat(path).st_mtime < seconds
    except FileNotFoundError:
        return False


def age(ticks):
    """Seconds since a start time of that kind."""
    with open('/proc/uptime') as uptime:
        return float(uptime.read().split()[0]) - ticks / os.sysconf('SC_CLK_TCK')


def receive(read):
    """What was read, b'' at the end, None if there was nothing."""
    try:
        return read()
    except BlockingIOError:
        return None
    except OSError:
        return b''


def whole_lines(pending):
    """Takes the complete lines, line feeds included, out of the buffer."""
    end = pending.rfind(b'\n') + 1
    lines = bytes(pending[:end]).splitlines(keepends=True)
    del pending[:end]
    return lines


def main():
    for descriptor in (0, 1):
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    Bridge(sys.argv[1]).run()


if __name__ == '__main__':
    main()
