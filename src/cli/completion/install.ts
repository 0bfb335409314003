/** Writes the completion script of a shell, and the manual page, to where that shell and man(1) look for them. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { PACKAGE } from '../../package-paths.js';

const MANUAL = 'tenacitty.1';

/** What was written, and what is left to do. */
export interface InstalledCompletion {
  readonly files: readonly string[];
  /** A sentence; undefined if new shells find the script. */
  readonly advice?: string;
}

/** Writes the files, over older versions of them. */
export function installCompletion(
  shell: string,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): InstalledCompletion {
  const data = env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share');
  const config = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const file = {
    bash: join(data, 'bash-completion', 'completions', 'tenacitty'),
    fish: join(config, 'fish', 'completions', 'tenacitty.fish'),
    zsh: join(data, 'zsh', 'site-functions', '_tenacitty'),
  }[shell]!;
  const manual = join(data, 'man', 'man1', MANUAL);
  const source = join(PACKAGE, 'docs', MANUAL);
  const files = existsSync(source) ? [file, manual] : [file];
  for (const path of files) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(file, script);
  if (files.includes(manual)) copyFileSync(source, manual);
  return { files, ...adviceFor(shell, file) };
}

function adviceFor(shell: string, file: string): { readonly advice?: string } {
  if (shell === 'bash') return { advice: 'bash needs the package bash-completion to find it' };
  if (shell !== 'zsh') return {};
  return { advice: `add to ~/.zshrc, before compinit:  fpath=(${dirname(file)} $fpath)` };
}
