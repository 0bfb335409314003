/**
 * `tenacitty open`: opens the running server's page in a browser, signed in. It writes a one-time code to the data
 * directory, where the server looks for it, so it needs no key.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from '../../access/private-folder.js';
import { createCode } from '../../access/sign-in-codes.js';
import { resolveOptions } from '../../config.js';
import type { Options } from '../../config.js';
import { respondingServer } from '../../config/running.js';
import { TerminalError } from '../../errors.js';
import { commandFormatter } from '../command-formatter.js';
import type { ParsedCall } from '../command.js';
import type { OPEN_FLAGS } from '../flags/upkeep.js';
import { signInLink } from '../sign-in-link.js';
import { print, printMessage } from '../stdout.js';

const VALID_MS = 60_000;

export async function open({ flags, settings }: ParsedCall<typeof OPEN_FLAGS>): Promise<void> {
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const url = await runningUrl(options);
  const link = signInLink(url, createCode(options.dataDir, VALID_MS));
  if (flags.print || !(await isShown(link, options))) await print(`${link}\n`);
  else printMessage(`opening ${url} in your browser`);
  printMessage('the link works once, within a minute');
}

/** Returns the URL of the newest running server. If TENACITTY_PORT is set, considers only servers on that port. */
async function runningUrl(options: Options): Promise<string> {
  const { dataDir, port, origins } = options;
  const isMeant = (url: string) => origins.TENACITTY_PORT === 'default' || Number(portOf(url)) === port;
  const url = await respondingServer(dataDir, (server) => isMeant(server.url));
  if (url !== undefined) return url;
  const command = commandFormatter(options)('serve');
  throw new TerminalError('INVALID_INPUT', `No server is using ${dataDir}. To start one: ${command}`);
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * Opens a file that redirects to the link. The link itself is not passed to a program, because other users can see a
 * program's arguments. Returns false if there is no display or no program that opens files.
 */
async function isShown(link: string, { dataDir }: Options): Promise<boolean> {
  const isMac = process.platform === 'darwin';
  if (!isMac && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return false;
  const file = join(privateFolder(dataDir, 'sign-in-codes'), 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, { mode: 0o600 });
  const opener = spawn(isMac ? 'open' : 'xdg-open', [file], { stdio: 'ignore', detached: true });
  try {
    await once(opener, 'spawn');
    opener.unref();
    return true;
  } catch {
    return false;
  }
}
