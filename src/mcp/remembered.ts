/** What is remembered by name, so many at most: what was longest not used is forgotten first. It knows not what it is. */
export class Remembered<Value> {
  readonly #max: number;
  readonly #values = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @param make - Makes it where nothing is remembered. */
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
}
