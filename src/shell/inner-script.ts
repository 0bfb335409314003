/**
 * The integration for a shell or REPL within another, as one text: what its kind has for every shell, what is
 * different within another, and where no file can be shared, how commands are typed to it. It types nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRepl, quoted } from './shells.js';
import type { FollowedKind } from './shells.js';

const SCRIPTS = join(import.meta.dirname, 'scripts');

/** Parts by kind, in order; the last only where commands are typed. */
const PARTS: Readonly<Record<FollowedKind, { readonly shared: readonly string[]; readonly typed: string | null }>> = {
  bash: { shared: ['tenacitty.bash', 'inner.bash'], typed: 'typed.bash' },
  zsh: { shared: ['tenacitty.zsh', 'inner.zsh'], typed: 'typed.zsh' },
  fish: { shared: ['tenacitty.fish'], typed: null },
  sh: { shared: ['tenacitty.sh'], typed: 'typed.sh' },
  python: { shared: ['tenacitty.py'], typed: null },
  node: { shared: ['tenacitty.node'], typed: null },
};

/** Whether this kind can be told everything by typing; all can by files. */
export function takesTypedScript(kind: FollowedKind): boolean {
  return kind !== 'fish';
}

/** @param directory - Where the commands lie as files; null: they are typed. */
export function innerScript(kind: FollowedKind, nonce: string, directory: string | null): string {
  const { shared, typed } = PARTS[kind];
  const parts = directory === null && typed !== null ? [...shared, typed] : shared;
  const quote = isRepl(kind) ? JSON.stringify : quoted;
  return parts
    .map((part) => readFileSync(join(SCRIPTS, part), 'utf8'))
    .join('')
    .replaceAll('@NONCE@', () => quote(nonce))
    .replaceAll('@DIRECTORY@', () => quote(directory ?? ''));
}
