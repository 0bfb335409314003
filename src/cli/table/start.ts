/** The commands that start something: the server, and programs in terminals. Table entries only. */
import { command } from '../command.js';
import { OPEN_FLAGS } from '../flags/upkeep.js';
import { RUN_FLAGS, NEW_FLAGS } from '../flags/start.js';

/** The entry for `serve`, whose flags are all settings. */
export const SERVE = command({
  name: 'serve',
  summary: 'Start the server',
  description: [
    'Serves the REST API until it is stopped by Ctrl-C or SIGTERM. All its flags are settings. Each setting is ' +
      'taken from the first of these that contains it: the flags, the environment, .env in the working directory ' +
      '(or the file named by --settings-file), the defaults.',
    'This command also accepts PORT, HOST, MAX_BUFFER_SIZE, SESSION_TIMEOUT, LOG_LEVEL and CORS_ORIGIN without ' +
      'the prefix TENACITTY_, in the environment and in .env. Its terminals do not inherit them.',
  ],
  examples: [
    { line: 'tenacitty serve', doc: 'on 127.0.0.1:3001, for your own programs' },
    { line: 'tenacitty serve --port 0', doc: 'on any free port, which it prints' },
    { line: 'HOST=0.0.0.0 tenacitty serve', doc: 'reachable from other machines; they need an API key' },
    { line: 'tenacitty serve --settings-file /etc/tenacitty.env', doc: 'with the settings in this file' },
  ],
  load: async () => {
    const { serve } = await import('../serve.js');
    return ({ settings }) => serve(settings);
  },
});

export const OPEN = command({
  name: 'open',
  summary: "Open the running server's page in your browser, signed in",
  description: [
    'The link signs in once, within a minute. Without a display, or with --print, it is printed; it also signs in a ' +
      'browser on another machine that reaches the server, after its host name is replaced.',
    'If several servers are using this data directory, opens the newest or, with --port, the one on that port.',
  ],
  flags: OPEN_FLAGS,
  examples: [
    { line: 'tenacitty open', doc: 'in your browser' },
    { line: 'tenacitty open --print', doc: 'print the link' },
  ],
  load: async () => (await import('../commands/open.js')).open,
});

export const RUN = command({
  name: 'run',
  summary: 'Run a program in a new terminal, and return its output and exit code',
  description: [
    'The program runs in its own terminal: stdout is what it writes there, byte for byte (lines end in CR LF, ' +
      'and input is echoed, as in any terminal). When it ends, the terminal is removed, and processes that it ' +
      'left running are ended, unless --keep is given.',
    'Stdin is typed into the terminal. If stdin is a terminal, each key is typed, including Ctrl-C, except the detach ' +
      'key (Ctrl-\\), which exits and leaves the program running; otherwise, all of stdin is typed, followed by Ctrl-D.',
    'With --json, nothing is shown while the program is running; at the end, stdout is one JSON object with id (also ' +
      'as terminalId), status, exitCode, signal, endedBy (why it ended, for example its time limit), durationMs, ' +
      'output (the lines as displayed, at most 4 MiB), truncated, totalLines and totalBytes. If tenacitty run itself ' +
      'is ended first, the object describes the program so far, with status active. The exit code is the same as ' +
      'without --json.',
    'If tenacitty run itself is ended (SIGTERM, SIGHUP, SIGKILL), the program keeps running: see tenacitty ls.',
  ],
  program: 'required',
  flags: RUN_FLAGS,
  examples: [
    { line: 'tenacitty run -- ls -l --color', doc: 'the same output as on a terminal' },
    { line: 'seq 9 | tenacitty run --raw -- wc -l', doc: 'prints 9, as a pipe does: no echo, and no CR' },
    { line: 'tenacitty run sh -c "exit 3" || echo "exit code $?"', doc: 'with its exit code' },
    { line: 'tenacitty run --json -- uname -a', doc: 'exit code, duration and output as JSON' },
    { line: 'tenacitty run -d -- sleep 60', doc: 'print the id; the program keeps running' },
    { line: 'echo "hello" | tenacitty run -- cat', doc: 'stdin is typed into the terminal' },
  ],
  load: async () => (await import('../commands/run.js')).run,
});

export const NEW = command({
  name: 'new',
  summary: 'Open a terminal with a shell or a program, and print its id',
  program: 'optional',
  flags: NEW_FLAGS,
  apart: [['attach', 'json']],
  examples: [
    { line: 'ID=$(tenacitty new)', doc: 'your shell, in the current directory' },
    { line: 'tenacitty new --cwd /tmp --env LANG=C -- top', doc: 'a program, in another directory' },
    { line: 'tenacitty new --name web', doc: 'named, for example for tenacitty attach web' },
    { line: 'tenacitty new --label project=web --label task=tests', doc: 'with labels to select it by' },
    { line: 'tenacitty new --like $ID', doc: 'the same program again' },
    { line: 'tenacitty new --attach', doc: 'attach at once; after Ctrl-\\, it keeps running' },
  ],
  load: async () => (await import('../commands/new.js')).create,
});
