/** The commands that start something: the server, and programs in terminals. Table entries only. */
import { command } from '../command.js';
import { RUN_FLAGS, NEW_FLAGS } from '../flags/start.js';

/** All flags of `serve` are settings. */
export const SERVE = command({
  name: 'serve',
  summary: 'Start the server',
  description: [
    'Serves the REST API until it is told to stop, by Ctrl-C or SIGTERM. All its flags are settings. They are taken from ' +
      'flags, then the environment, then .env in the working directory (or the file named by --settings-file), then the ' +
      'defaults.',
    'This command also takes PORT, HOST, MAX_BUFFER_SIZE, SESSION_TIMEOUT, LOG_LEVEL and CORS_ORIGIN without the prefix ' +
      'TENACITTY_, in the environment and in .env. Its terminals do not inherit them.',
  ],
  examples: [
    { line: 'tenacitty serve', doc: 'on 127.0.0.1:3001, for your own programs' },
    { line: 'tenacitty serve --port 0', doc: 'on any free port; it says which' },
    { line: 'HOST=0.0.0.0 tenacitty serve', doc: 'for other machines too; needs an API key' },
    { line: 'tenacitty serve --settings-file /etc/tenacitty.env', doc: 'with the settings of this file' },
  ],
  load: async () => {
    const { serve } = await import('../serve.js');
    return ({ settings }) => serve(settings);
  },
});

export const RUN = command({
  name: 'run',
  summary: 'Run a program in a new terminal, and pass on its output and exit code',
  description: [
    'The program runs in a terminal of its own: stdout is what it writes there, byte for byte (lines end in CR LF, and what ' +
      'is typed is echoed, as in any terminal). When it ends, the terminal and whatever the program left running go too, ' +
      'but for --keep.',
    'Stdin is typed into the terminal: each key, Ctrl-C too, where it is a terminal; else all of it, and then Ctrl-D.',
    'With --json nothing is shown meanwhile; stdout is one JSON object at the end: id (also as terminalId), status, exitCode, signal, ' +
      'endedBy (why it ended: its time limit, say), durationMs, output (the lines as seen, 64 MiB at most), truncated, totalLines and totalBytes. If tenacitty run itself ' +
      'is ended, it tells of the program so far, whose status is active. The exit code is the same as without.',
    'If tenacitty run itself is ended (SIGTERM, SIGHUP, SIGKILL), the program goes on: see tenacitty ls.',
  ],
  program: 'required',
  flags: RUN_FLAGS,
  examples: [
    { line: 'tenacitty run -- ls -l --color', doc: 'as the program writes it for a person' },
    { line: 'tenacitty run sh -c "exit 3" || echo "exit code $?"', doc: 'its exit code passes through' },
    { line: 'tenacitty run --json -- uname -a', doc: 'exit code, duration and output as JSON' },
    { line: 'tenacitty run -d -- sleep 60', doc: 'prints the id; the program goes on' },
    { line: 'echo "hello" | tenacitty run -- cat', doc: 'stdin is typed into the terminal' },
  ],
  load: async () => (await import('../commands/run.js')).run,
});

export const NEW = command({
  name: 'new',
  summary: 'Open a terminal, with a shell or a program, and print its id',
  program: 'optional',
  flags: NEW_FLAGS,
  apart: [['attach', 'json']],
  examples: [
    { line: 'ID=$(tenacitty new)', doc: 'your shell, where you are' },
    { line: 'tenacitty new --cwd /tmp --env LANG=C -- top', doc: 'a program, in another directory' },
    { line: 'tenacitty new --name web', doc: 'to be called by this, as tenacitty attach web' },
    { line: 'tenacitty new --label project=web --label task=tests', doc: 'to be found by these' },
    { line: 'tenacitty new --like $ID', doc: 'once more what ran there' },
    { line: 'tenacitty new --attach', doc: 'take it up at once; Ctrl-\\ leaves, and it stays' },
  ],
  load: async () => (await import('../commands/new.js')).create,
});
