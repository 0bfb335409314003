/** Implements a map of limited size that discards the least recently used entry first. */
export class LruMap<Value> {
  readonly #max: number;
  readonly #values = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @param make - Creates the value if the map has none with this name. */
  get(name: string, make: () => Value): Value {
    const value = this.#values.get(name) ?? make();
    this.set(name, value);
    return value;
  }

  peek(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.#max) this.#values.delete(this.#values.keys().next().value!);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }
}
