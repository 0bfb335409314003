/**
 * Programs that carry what is typed to somewhere the kernel here does not see: another machine, a container, a server
 * of their own. That they listen says nothing about whether somebody there waits. Pure.
 */

const FAR_RELAYS: ReadonlySet<string> = new Set([
  ...['ssh', 'slogin', 'autossh', 'mosh-client', 'telnet', 'rlogin', 'et', 'nc', 'ncat', 'socat', 'picocom', 'minicom'],
  ...['tmux', 'screen', 'zellij', 'dtach', 'abduco', 'shpool'],
  ...['docker', 'docker-compose', 'podman', 'nerdctl', 'ctr', 'crictl', 'kubectl', 'oc', 'lxc', 'lxc-attach', 'incus'],
  ...['machinectl', 'virsh', 'adb', 'vagrant', 'wsl.exe'],
]);

/** @param name - What a program is called, as its first argument says. */
export function isSeenFromAfar(name: string | null): boolean {
  return name !== null && FAR_RELAYS.has(name);
}
