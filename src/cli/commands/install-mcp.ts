/** `tenacitty mcp install` and `tenacitty mcp uninstall`: add tenacitty to a client's configuration, or remove it. */
import { join, resolve } from 'node:path';
import { resolveOptions } from '../../config.js';
import { TerminalError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import type { ParsedCall } from '../command.js';
import { ForeignEntry, installEntry, OWN_NAME, uninstallEntry } from '../mcp-clients/change.js';
import type { ConfigChange, EntryTarget } from '../mcp-clients/change.js';
import { CLIENTS } from '../mcp-clients/clients.js';
import type { McpClient } from '../mcp-clients/clients.js';
import { backupsOf, readConfiguration, replaceConfiguration } from '../mcp-clients/configuration-file.js';
import type { ConfigurationFile } from '../mcp-clients/configuration-file.js';
import { unifiedDiff } from '../mcp-clients/diff.js';
import { serverCommand } from '../mcp-clients/server-command.js';
import { readUserContext } from '../mcp-clients/user-context.js';
import type { UserContext } from '../mcp-clients/user-context.js';
import { UneditableConfig } from '../mcp-clients/uneditable-config.js';
import { usageError } from '../parse.js';
import { print, printJson, printMessage } from '../stdout.js';
import { MCP_CLIENTS } from '../flags/mcp.js';
import type { MCP_ACTIONS, MCP_FLAGS, McpClientName } from '../flags/mcp.js';

type Action = (typeof MCP_ACTIONS)[number];
type McpCall = ParsedCall<typeof MCP_FLAGS>;

/** The request, and everything that was determined from it. */
interface Task {
  readonly action: Action;
  readonly call: McpCall;
  readonly client: McpClient;
  readonly goal: EntryTarget;
  readonly file: ConfigurationFile;
}

/**
 * Installs or uninstalls the entry.
 *
 * @throws `INVALID_INPUT` for invalid arguments, or if a file is malformed or has a different entry of that name. In
 *   these cases, nothing is changed.
 */
export async function installMcp(action: Action, call: McpCall): Promise<void> {
  const where = readUserContext();
  const client = CLIENTS[clientName(action, call)];
  const file = readConfiguration(fileOf(client, call, where));
  const task = { action, call, client, file, goal: goalOf(client, call, where) };
  const change = changeOf(task);
  const isWritten = change.outcome !== 'unchanged' && !call.flags.dryRun;
  const backup = isWritten ? replaceConfiguration(file, change.text, call.flags.project) : null;
  await reportChange(task, change, backup);
}

function clientName(action: Action, { operands: [, name] }: McpCall): McpClientName {
  const known = MCP_CLIENTS.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  const names = MCP_CLIENTS.join(', ');
  if (name === undefined) throw usageError({ name: 'mcp' }, `CLIENT is missing: mcp ${action} needs one of ${names}.`);
  throw usageError(
    { name: 'mcp' },
    `Unknown client ${name}; expected one of ${names}.${didYouMean(name, MCP_CLIENTS)}`,
  );
}

function fileOf({ title, projectFile, userFile }: McpClient, { flags }: McpCall, where: UserContext): string {
  if (flags.file !== undefined) return resolve(where.cwd, flags.file);
  if (!flags.project) return resolve(where.cwd, userFile(where));
  if (projectFile === null) throw usageError({ name: 'mcp' }, `${title} has no project configuration.`);
  return join(where.cwd, projectFile);
}

function goalOf(
  { format, container, entry }: McpClient,
  { flags, settings }: McpCall,
  where: UserContext,
): EntryTarget {
  if (flags.npx && flags.command !== undefined) throw usageError({ name: 'mcp' }, 'Give either --npx or --command.');
  const options = { program: flags.command, npx: flags.npx, workspace: flags.workspace, onClose: flags.onClose };
  const command = serverCommand({ ...options, settings: [...settings, ...placeOf(flags, settings, where)] }, where);
  return { format, place: { container, name: flags.name ?? OWN_NAME }, entry: entry(command) };
}

/**
 * Returns flags for directories that differ from the defaults. Many clients start servers without the person's
 * environment variables, so such directories must be passed explicitly. Returns none for a project's file, because the
 * directories would be wrong for the other people who share it.
 */
function placeOf({ project }: McpCall['flags'], settings: readonly string[], { home }: UserContext): string[] {
  if (project) return [];
  const { dataDir, runtimeDir, origins } = resolveOptions({
    argv: settings,
    isServing: false,
    isPlaceNeeded: false,
  }).options;
  const usual = resolveOptions({ env: { HOME: home }, cwd: '/', isServing: false, isPlaceNeeded: false }).options;
  const isPassedOn = (origin: string): boolean => /^(?:flag|file) /.test(origin);
  return [
    ...(isPassedOn(origins.TENACITTY_DATA_DIR) || dataDir === usual.dataDir ? [] : [`--data-dir=${dataDir}`]),
    ...(isPassedOn(origins.TENACITTY_RUNTIME_DIR) || runtimeDir === usual.runtimeDir
      ? []
      : [`--runtime-dir=${runtimeDir}`]),
  ];
}

function changeOf({ action, file, goal, client }: Task): ConfigChange {
  try {
    return action === 'install' ? installEntry(file.text, goal) : uninstallEntry(file.text, goal, backupsOf(file));
  } catch (cause) {
    if (cause instanceof UneditableConfig) throw unclear(file.path, cause);
    if (cause instanceof ForeignEntry) throw foreign(goal.place.name, client.title, file.path, cause);
    throw cause;
  }
}

function unclear(path: string, cause: UneditableConfig): TerminalError {
  const { place, message } = cause;
  const where = place ? `${path}:${place.line}:${place.column}` : path;
  return new TerminalError(
    'INVALID_INPUT',
    `${where}: ${message}. Nothing was changed.`,
    { path, ...place },
    { cause },
  );
}

/** Returns the error for another server's entry. Omits the entry's arguments, which may contain keys. */
function foreign(name: string, title: string, path: string, cause: ForeignEntry): TerminalError {
  const command = JSON.stringify(cause.entry['command'] ?? null);
  const message =
    `${title} has another server named ${name} (its command is ${command}). Nothing was changed in ${path}; ` +
    'choose a different name with --name.';
  return new TerminalError('INVALID_INPUT', message, { path, name }, { cause });
}

async function reportChange(task: Task, change: ConfigChange, backup: string | null): Promise<void> {
  const { action, call, client, goal, file } = task;
  const diff = unifiedDiff(file.path, file.text, change.text);
  const { json, dryRun } = call.flags;
  if (json) {
    const { name } = goal.place;
    const isRemoved = change.text === null && file.text !== null;
    const done = {
      action,
      client: call.operands[1],
      file: file.path,
      name,
      outcome: change.outcome,
      isRemoved,
      backup,
    };
    return printJson({ ...done, entry: goal.entry, ...(dryRun ? { dryRun, diff } : {}) });
  }
  if (dryRun) await print(process.stdout.isTTY ? replaceControls(diff) : diff);
  for (const line of describeChange(task, change)) printMessage(line);
  if (backup !== null) printMessage(`the previous version of the file is kept in ${backup}`);
  if (action === 'install' && change.outcome !== 'unchanged' && !dryRun) printMessage(client.next);
}

/**
 * Replaces control characters, because a project's file may come from anyone and contain sequences that a terminal
 * would execute.
 */
function replaceControls(text: string): string {
  return text.replaceAll(/[^\P{C}\t\n]/gu, '?');
}

function describeChange({ action, call, client, file, goal }: Task, { outcome, text }: ConfigChange): string[] {
  const { name } = goal.place;
  if (outcome === 'unchanged') {
    const state = action === 'install' ? 'already has this configuration' : `has no server named ${name}`;
    return [`${client.title} ${state}; nothing to change in ${file.path}`];
  }
  const words = { added: 'added to', changed: 'changed in', removed: 'removed from' }[outcome];
  const isGone = text === null ? ', which held nothing else and was removed' : '';
  if (call.flags.dryRun) return [`dry run: ${name} would be ${words} ${client.title}`];
  return [`${name} was ${words} ${client.title}: ${file.path}${isGone}`];
}
