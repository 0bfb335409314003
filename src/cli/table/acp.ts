/** The ACP commands. Table entries only. */
import { command } from '../command.js';
import { ACP_RUN_FLAGS, ACP_PROXY_FLAGS, ACP_FLAGS, ACP_ACTIONS } from '../flags/acp.js';

const ACTION_NAMES = Object.keys(ACP_ACTIONS);

const DESCRIPTIONS = {
  run: [
    'run starts the agent behind --, and you talk with it: its answers, its plans and what it asks leave for come as they ' +
      'are, and what it runs in terminals is shown live. Ctrl-C stops the turn, a second one ends; /quit ends. They are ' +
      'terminals like any other: tenacitty ls has them, and attach takes one up.',
    'With --prompt run ends after one turn, with the exit code 0 if the agent came to its end, and else one that tells: 10 ' +
      'it refused, 11 it ran out of tokens, 12 of requests, 13 it wants you to sign in, 14 it ended or does not speak the ' +
      'protocol, 124 time was up, 125 it was not permitted what it asked for (see --yes), 127 it could not be started, 130 ' +
      'cancelled.',
  ],
  proxy: [
    'proxy is for editors: they start it in place of the agent behind --. It serves the agent terminals where the editor has ' +
      'none, and passes on all else as it is; its exit code is that of the agent. docs/acp.md has the configuration for Zed, ' +
      'JetBrains, Neovim and Emacs.',
  ],
} as const;

export const ACP = command({
  name: 'acp',
  summary: 'Work with an agent that speaks the Agent Client Protocol',
  description: Object.values(DESCRIPTIONS).flat(),
  operands: [{ name: ACTION_NAMES.join('|'), choices: ACTION_NAMES }],
  actions: {
    run: { flags: ACP_RUN_FLAGS, description: DESCRIPTIONS.run },
    proxy: { flags: ACP_PROXY_FLAGS, description: DESCRIPTIONS.proxy },
  },
  program: 'behind',
  flags: ACP_FLAGS,
  examples: [
    { line: 'tenacitty acp run -- claude-code-acp', doc: 'talk with an agent' },
    { line: 'tenacitty acp run --prompt "Do the tests pass?" --yes -- kimi acp', doc: 'one turn, as in a script' },
    { line: 'ANSWER=$(tenacitty acp run --quiet --prompt "Which port?" -- kimi acp)', doc: 'only the answer' },
    { line: 'git diff | tenacitty acp run --prompt - --json -- gemini --acp', doc: 'each event as a line of JSON' },
    { line: 'tenacitty acp proxy -- kimi acp', doc: 'what an editor without terminals starts for its agent' },
  ],
  load: async () => (await import('../commands/acp.js')).acp,
});
