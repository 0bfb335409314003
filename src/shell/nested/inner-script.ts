/**
 * Builds the integration script for a nested shell or REPL: the part shared by all shells of its kind, the part for
 * nested shells, and, if no files can be shared, the part for typed commands. Types nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE } from '../../package-paths.js';
import { MARK_PREFIX } from '../marker.js';
import { isRepl, quoted } from '../shells.js';
import type { TrackedKind } from '../shells.js';

const SCRIPTS = join(CODE, 'shell', 'scripts');

/** Parts by kind, in order; the last is used only if commands are typed. */
const PARTS: Readonly<Record<TrackedKind, { readonly shared: readonly string[]; readonly typed: string | null }>> = {
  bash: { shared: ['tenacitty.bash', 'inner.bash'], typed: 'typed.bash' },
  zsh: { shared: ['tenacitty.zsh', 'inner.zsh'], typed: 'typed.zsh' },
  fish: { shared: ['tenacitty.fish'], typed: null },
  sh: { shared: ['tenacitty.sh'], typed: 'typed.sh' },
  python: { shared: ['tenacitty.py'], typed: null },
  node: { shared: ['tenacitty.node'], typed: null },
};

/** Returns whether this kind can receive its integration by typing; every kind can receive it by file. */
export function takesTypedScript(kind: TrackedKind): boolean {
  return kind !== 'fish';
}

/** @param directory - Directory of the command files; null if commands are typed. */
export function innerScript(kind: TrackedKind, nonce: string, directory: string | null): string {
  const { shared, typed } = PARTS[kind];
  const parts = directory === null && typed !== null ? [...shared, typed] : shared;
  const script = parts.map((part) => readFileSync(join(SCRIPTS, part), 'utf8')).join('');
  return filledIn(script, { nonce, directory: directory ?? '' }, isRepl(kind) ? JSON.stringify : quoted);
}

/** Fills a shell's own values into a script, each quoted as a single word of its language. */
export function filledIn(
  script: string,
  { nonce, directory }: { readonly nonce: string; readonly directory: string },
  quote: (text: string) => string = quoted,
): string {
  return script
    .replaceAll('@NONCE@', () => quote(nonce))
    .replaceAll('@DIRECTORY@', () => quote(directory))
    .replaceAll('@OPEN@', () => quote(MARK_PREFIX))
    .replaceAll('@CLOSE@', () => quote('\x07'));
}
