/** The flags of `acp`. */
import { duration, text, toggle } from '../flag.js';

/** Flags of `acp run`. */
export const ACP_RUN_FLAGS = {
  prompt: text('TEXT', 'run: one turn with this prompt, without a keyboard, and ends; - takes it from stdin.'),
  yes: toggle('run: grants what the agent asks permission for, once each time if that can be had.'),
  cwd: text(
    'DIRECTORY',
    'run: the directory the agent works in, and from which a relative path of its program ' +
      'counts. Default: the one you are in.',
  ),
  session: text('ID', 'run: takes up this session of the agent, if it can do that.'),
  auth: text('METHOD', "run: signs in by this one of the agent's methods first."),
  timeout: duration('run: how long it may take in all.'),
  mcp: toggle('run, proxy: gives the agent our MCP server, too.'),
  quiet: toggle("run: with --prompt, prints the text of the agent's answer and nothing else; errors go to stderr."),
  json: toggle('run: prints each event as a line of JSON.'),
} as const;

/** Flags of `acp proxy`. */
export const ACP_PROXY_FLAGS = {
  mcp: ACP_RUN_FLAGS.mcp,
  force: toggle('proxy: serves the terminals even where the editor has its own.'),
  rawUpdates: toggle('proxy: leaves what the agent says of terminals as it is.'),
} as const;

export const ACP_FLAGS = { ...ACP_RUN_FLAGS, ...ACP_PROXY_FLAGS } as const;

/** The actions of `acp`, and the flags of each. */
export const ACP_ACTIONS = { run: ACP_RUN_FLAGS, proxy: ACP_PROXY_FLAGS } as const;

export type AcpAction = keyof typeof ACP_ACTIONS;
