/** The caller of an admitted request. Plain data. */
export interface Principal {
  /** Stable and unique; used for limits and in logs. */
  readonly id: string;
  /** `local`: a process of the server's own user on this machine. `key`: the holder of an API key. */
  readonly kind: 'local' | 'key';
  /** For people: the user's name, or the name of the key. */
  readonly name: string;
}
