/** The ACP commands. Table entries only. */
import { command } from '../command.js';
import { ACP_RUN_FLAGS, ACP_PROXY_FLAGS, ACP_FLAGS, ACP_ACTIONS } from '../flags/acp.js';

const ACTION_NAMES = Object.keys(ACP_ACTIONS);

const DESCRIPTIONS = {
  run: [
    "run starts the agent given after -- for a conversation in your terminal. It prints the agent's replies, plans " +
      'and permission requests as they arrive, and shows what the agent is running in terminals. Ctrl-C ' +
      "cancels the turn; a second Ctrl-C, or /quit, exits. The agent's terminals are ordinary terminals: tenacitty " +
      'ls lists them, and tenacitty attach attaches to them.',
    'With --prompt, run exits after one turn. The exit code is 0 if the agent finished the turn; otherwise: 10 ' +
      'it refused, 11 it reached its token limit, 12 it reached its request limit, 13 it requires you to sign ' +
      'in, 14 it ended or does not speak the protocol, 124 the timeout expired, 125 a permission that it asked for ' +
      'was not granted (see --yes), 127 it could not be started, 130 the turn was cancelled.',
  ],
  proxy: [
    'proxy is for editors, which start it instead of the agent given after --. It provides terminals to the agent ' +
      'if the editor does not, and forwards all other messages unchanged. Its exit code is the exit code of the ' +
      'agent. For the configuration of Zed, JetBrains, Neovim and Emacs, see docs/acp.md.',
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
    { line: 'tenacitty acp run -- claude-code-acp', doc: 'start a conversation with an agent' },
    { line: 'tenacitty acp run --prompt "Do the tests pass?" --yes -- kimi acp', doc: 'one turn, for scripts' },
    { line: 'ANSWER=$(tenacitty acp run --quiet --prompt "Which port?" -- kimi acp)', doc: 'only the reply' },
    { line: 'git diff | tenacitty acp run --prompt - --json -- gemini --acp', doc: 'each event as one line of JSON' },
    { line: 'tenacitty acp proxy -- kimi acp', doc: 'for an editor without terminals: start this as the agent' },
  ],
  load: async () => (await import('../commands/acp/acp.js')).acp,
});
