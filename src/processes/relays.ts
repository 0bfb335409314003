/**
 * Lists programs that forward input to a place that the local kernel does not see: another machine, a container, or
 * their own server. That such a program is listening does not mean that a program in that place is waiting for input.
 * Pure.
 */

const REMOTE_RELAYS: ReadonlySet<string> = new Set([
  ...['ssh', 'slogin', 'autossh', 'mosh-client', 'telnet', 'rlogin', 'et', 'nc', 'ncat', 'socat', 'picocom', 'minicom'],
  ...['tmux', 'screen', 'zellij', 'dtach', 'abduco', 'shpool'],
  ...['docker', 'docker-compose', 'podman', 'nerdctl', 'ctr', 'crictl', 'kubectl', 'oc', 'lxc', 'lxc-attach', 'incus'],
  ...['machinectl', 'virsh', 'adb', 'vagrant', 'wsl.exe'],
]);

/** @param name - The name of a program, as its first argument states it. */
export function isRemoteRelay(name: string | null): boolean {
  return name !== null && REMOTE_RELAYS.has(name);
}
