/** The programs that tests start, and their installation: Debian packages by name. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say, stop } from './setup.mjs';

/** Maps each package to a command that it provides. */
const PACKAGES = {
  bash: 'bash',
  busybox: 'busybox',
  chromium: 'chromium',
  curl: 'curl',
  dash: 'dash',
  fish: 'fish',
  git: 'git',
  htop: 'htop',
  jq: 'jq',
  less: 'less',
  mksh: 'mksh',
  nano: 'nano',
  'openssh-client': 'ssh',
  openssl: 'openssl',
  'postgresql-client': 'psql',
  procps: 'ps',
  python3: 'python3',
  sqlite3: 'sqlite3',
  vim: 'vim',
  whiptail: 'whiptail',
  zsh: 'zsh',
};

/** Packages that only tests that run as root need. */
const ROOT_PACKAGES = { 'openssh-server': 'sshd', sudo: 'sudo' };

/** Installs missing packages, on Debian as root; elsewhere, prints what to install and exits. */
export function ensureSystemPackages() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid() === 0 && isOnPath('apt-get');
  if (!isDebianRoot) stop(`The tests need these programs; please install them: ${missing.join(' ')}`);
  say(`installing system packages: ${missing.join(' ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update matters only if the install fails, too: the present package lists may suffice.
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 2, 2] });
  const flags = ['install', '-y', '-qq', '--no-install-recommends'];
  run('apt-get', [...flags, ...missing], `Could not install ${missing.join(' ')}.`, { env });
  const still = missingPackages();
  if (still.length > 0) stop(`Installed, but not found on PATH: ${still.join(' ')}`);
}

function missingPackages() {
  const wanted = { ...PACKAGES, ...(process.getuid() === 0 ? ROOT_PACKAGES : {}) };
  return Object.entries(wanted)
    .filter(([, command]) => !isOnPath(command))
    .map(([name]) => name);
}

function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      // Not in this folder; perhaps in the next.
      return false;
    }
  });
}
