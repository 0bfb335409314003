/**
 * Adds shell integration to a program that is about to be started, if it is requested and the program is an interactive
 * shell. Starts nothing.
 */
import { ScriptFiles } from './script-files.js';
import { injection, shellStart } from './shells.js';
import type { ShellKind } from './shells.js';
import type { LaunchPlan } from '../launch/launch.js';
import type { EngineOptions } from '../contract/options.js';

/** A shell that is to be integrated. */
export interface Integration {
  readonly kind: ShellKind;
  readonly files: ScriptFiles;
  /** The launch with the integration added. */
  readonly launch: LaunchPlan;
}

/**
 * Returns the integration. Returns null if none is requested, or if its files cannot be written; the shell then starts
 * without it.
 */
export function integrate(
  launch: LaunchPlan,
  terminalId: string,
  settings: Pick<EngineOptions, 'shellIntegration' | 'shellDir' | 'historyDir' | 'historyPlace' | 'log'>,
): Integration | null {
  const { shellIntegration, shellDir, historyDir, historyPlace, log } = settings;
  const start = shellIntegration ? shellStart(launch.file, launch.args) : null;
  if (start === null) return null;
  try {
    const files = ScriptFiles.create(shellDir, terminalId, historyDir === null || historyPlace === 'memory');
    const { args, env } = injection(start, launch.args, files.prepare(start, launch.env));
    return { kind: start.kind, files, launch: { ...launch, args, env: { ...launch.env, ...env } } };
  } catch (error) {
    log('warn', 'Shell integration failed', { terminalId, problem: (error as Error).message });
    return null;
  }
}
