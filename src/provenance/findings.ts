/** Collects what is wrong with one link. */
export class Findings {
  readonly #problems: string[] = [];

  /** Notes `problem` unless `holds`. */
  require(holds: boolean, problem: string): void {
    if (!holds) this.#problems.push(problem);
  }

  get ok(): boolean {
    return this.#problems.length === 0;
  }

  /** The detail when all is well, else the problems and then the detail. */
  describe(detail: string): string {
    return this.ok ? detail : `${this.#problems.join('; ')} (${detail})`;
  }
}

/** Long text is cut; its full size is named. */
export function elided(text: string, limit = 160): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${Buffer.byteLength(text)} B)`;
}
