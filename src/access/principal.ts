/** Who is asking, once the gate has let them in. Plain data. */
export interface Principal {
  /** Stable and unique; limits are counted by it and logs name it. */
  readonly id: string;
  /** `local`: a process of the server's own user on this machine. `key`: the bearer of an API key. */
  readonly kind: 'local' | 'key';
  /** For people: the user's name, or the name given to the key. */
  readonly name: string;
}
