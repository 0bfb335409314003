/** The flags of `acp`. */
import { duration, text, toggle } from '../flag.js';

/** Flags of `acp run`. */
export const ACP_RUN_FLAGS = {
  prompt: text(
    'TEXT',
    'run: runs one turn with this prompt, without reading the keyboard, then exits; - reads the prompt from ' +
      'stdin.',
  ),
  yes: toggle('run: grants all permission requests. If the agent offers a one-time option, that option is chosen.'),
  cwd: text(
    'DIRECTORY',
    'run: working directory of the agent, from which a relative path of its program is resolved. Default: the ' +
      'current directory.',
  ),
  session: text('ID', 'run: resumes this session of the agent, if the agent supports that.'),
  auth: text('METHOD', 'run: signs in first, with this authentication method of the agent.'),
  timeout: duration('run: time limit for the whole run.'),
  mcp: toggle("run, proxy: also gives the agent tenacitty's MCP server."),
  quiet: toggle("run: with --prompt, prints only the text of the agent's reply; errors go to stderr."),
  json: toggle('run: prints each event as one line of JSON.'),
} as const;

/** Flags of `acp proxy`. */
export const ACP_PROXY_FLAGS = {
  mcp: ACP_RUN_FLAGS.mcp,
  force: toggle('proxy: serves terminals even if the editor has its own.'),
  rawUpdates: toggle("proxy: forwards the agent's updates about terminals unchanged."),
} as const;

export const ACP_FLAGS = { ...ACP_RUN_FLAGS, ...ACP_PROXY_FLAGS } as const;

/** The actions of `acp`, and the flags of each. */
export const ACP_ACTIONS = { run: ACP_RUN_FLAGS, proxy: ACP_PROXY_FLAGS } as const;

export type AcpAction = keyof typeof ACP_ACTIONS;
